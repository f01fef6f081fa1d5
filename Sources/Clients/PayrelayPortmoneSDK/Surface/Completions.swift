/// Whether the operation succeeded, and the error if it did not.
public typealias OperationCompletion = (Bool, (any Error)?) -> Void

/// The wallet's cards, or the error.
public typealias MasterpassCardsCompletion = ([MasterpassCard]?, (any Error)?) -> Void

/// The companies that can be paid, or the error.
public typealias PayeesCompletion = ([Payee]?, (any Error)?) -> Void

/// A transaction for `proceedPayment`, or the error.
public typealias PayeePaymentCompletion = (PayeePaymentTransaction?, (any Error)?) -> Void

/// A transaction for `proceedPayment`, or the error.
public typealias TopUpCompletion = (TopUpMobileTransaction?, (any Error)?) -> Void

/// Does the work, then calls the completion: once, on the main actor, and never before the calling method has returned.
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
    /// As the completions have it.
    var value: Success? { try? get() }

    /// As the completions have it.
    var error: (any Error)? {
        if case .failure(let error) = self { error } else { nil }
    }
}
