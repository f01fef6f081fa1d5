import FoundationEssentials
import Logging

/// Why a payment's customer data cannot be erased yet: an answer that contains customer data is still expected.
public enum ErasureObstacle: Sendable, Equatable, CustomStringConvertible {
    case outcomeOpen
    case operationOpen

    public var description: String {
        switch self {
        case .outcomeOpen: "its outcome is not known yet"
        case .operationOpen: "the outcome of a capture, void or refund of it is not known yet"
        }
    }
}

extension Payment {
    /// Why the payment's customer data cannot be erased yet; `nil` if it can be erased, or is already.
    public var erasureObstacle: ErasureObstacle? {
        state.isOpen ? .outcomeOpen : openOperation == nil ? nil : .operationOpen
    }
}

/// The result of an operator's request to erase a customer's data.
public enum ForgottenCustomer: Sendable, Equatable {
    /// - Parameters:
    ///   - count: the number of payments whose data was erased.
    ///   - isInFiles: whether erased data may still be in the journal's files. It is removed from them within an hour.
    case erased(count: Int, isInFiles: Bool)
    /// The operator's role does not permit it. Nothing was done.
    case notPermitted
}

extension PaymentRelay {
    /// Erases a customer's data from payments. Payments of another customer, payments with an obstacle
    /// (``Payment/erasureObstacle``) and payments whose record cannot be read are skipped.
    ///
    /// - Parameter email: the customer's email. Payments with another email are not changed.
    public func forget(
        _ email: EmailDigest, in merchantReferences: [String], by request: OperatorRequest
    ) async throws(JournalError) -> ForgottenCustomer {
        guard request.may(.forget) else { return .notPermitted }
        var count = 0
        for reference in merchantReferences {
            do throws(JournalError) {
                let isErased = try await journal.eraseCustomerData(
                    of: reference, with: email, at: now(), knowing: gateways.vocabulary,
                    because: .operator(request.operatorName), request: request.identifier)
                if isErased { count += 1 }
            } catch {
                switch error {
                // The journal has called its observer with the record.
                case .unreadable, .contended: continue
                case .unavailable, .outcomeUnknown, .overloaded: throw error
                }
            }
        }
        logger.notice(
            "customer data erased", metadata: ["operator": "\(request.operatorName)", "payments": "\(count)"])
        do throws(JournalError) {
            if count > 0 { try await journal.purge(at: now()) }
            return .erased(count: count, isInFiles: false)
        } catch {
            logger.warning("erased data may still be in the journal's files", metadata: ["error": "\(error)"])
            return .erased(count: count, isInFiles: true)
        }
    }
}
