/// A closure that receives whether the operation succeeded, and the error if it did not.
public typealias OperationCompletion = (Bool, (any Error)?) -> Void

/// A closure that receives the wallet's cards, or the error.
public typealias MasterpassCardsCompletion = ([MasterpassCard]?, (any Error)?) -> Void

/// A closure that receives the companies that can be paid, or the error.
public typealias PayeesCompletion = ([Payee]?, (any Error)?) -> Void

/// A closure that receives a transaction for `proceedPayment`, or the error.
public typealias PayeePaymentCompletion = (PayeePaymentTransaction?, (any Error)?) -> Void

/// A closure that receives a transaction for `proceedPayment`, or the error.
public typealias TopUpCompletion = (TopUpMobileTransaction?, (any Error)?) -> Void

/// Does the work, then calls the completion once, on the main actor, and never before the calling method has
/// returned.
@MainActor
func deliver<Value: Sendable>(
    _ work: @escaping @MainActor () async throws(PortmoneError) -> Value,
    to completion: @escaping @MainActor (Result<Value, PortmoneError>) -> Void
) {
    Task { @MainActor in
        do throws(PortmoneError) {
            completion(.success(try await work()))
        } catch {
            completion(.failure(error))
        }
    }
}

extension Result where Failure == PortmoneError {
    /// The value, in the form that completions receive.
    var value: Success? { try? get() }

    /// The error, in the form that completions receive.
    var error: (any Error)? {
        if case .failure(let error) = self { error } else { nil }
    }
}
