import FoundationEssentials
import Logging

/// Why a payment's customer data cannot be erased yet: an answer with them is still to come.
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
    /// Nil where its customer data can be erased, or are.
    public var erasureObstacle: ErasureObstacle? {
        state.isOpen ? .outcomeOpen : openOperation == nil ? nil : .operationOpen
    }
}

/// How it ended that an operator wanted a customer's data erased.
public enum ForgottenCustomer: Sendable, Equatable {
    /// - Parameters:
    ///   - count: of how many payments.
    ///   - isInFiles: whether what was erased may still be in the journal's own files; it is removed from them within an hour.
    case erased(count: Int, isInFiles: Bool)
    /// The operator's role does not permit it. Nothing was done.
    case notPermitted
}

extension PaymentRelay {
    /// Erases a customer's data from payments. Those that are of another customer, that something keeps
    /// (``Payment/erasureObstacle``) or whose record cannot be read are left.
    ///
    /// - Parameter email: the customer's; no payment with another one is touched.
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
