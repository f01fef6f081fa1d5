import FoundationEssentials
import Logging

extension PaymentRelay {
    /// How many payments are open, and for how many that has lasted too long.
    public func openSummary() async throws -> OpenSummary {
        try await journal.openSummary(overdueBefore: now() - policy.overdueAfter)
    }

    /// How many payments have events that the merchant's backend has not acknowledged.
    public func eventSummary() async throws -> EventSummary {
        try await journal.eventSummary()
    }

    /// Erases the customer data of payments that are older than the policy keeps it, again and again, until its task is
    /// cancelled.
    ///
    /// - Parameter interval: between one look and the next.
    public func enforceRetention(every interval: Duration = .seconds(3_600)) async {
        while !Task.isCancelled {
            do {
                let count = try await journal.eraseCustomerData(claimedBefore: now() - policy.retention, at: now())
                if count > 0 { logger.info("customer data erased", metadata: ["payments": "\(count)"]) }
            } catch {
                logger.error("customer data could not be erased", metadata: ["error": "\(error)"])
            }
            try? await Task.sleep(for: interval)
        }
    }
}
