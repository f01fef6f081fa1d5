import FoundationEssentials
import PayrelayPrimitives

/// S7: a client cannot see another client's payment.
extension Payment {
    /// Whether a client may know that it exists: its own client, and every client where clients are not authenticated.
    func isVisible(to client: String?) -> Bool {
        client == nil || client == self.client
    }
}

extension PaymentRelay {
    /// What is known of a payment; nil where there is none.
    ///
    /// - Parameter client: the authenticated client; another client's payment does not exist for it.
    public func payment(
        _ merchantReference: String, for client: String? = nil
    ) async throws(JournalError) -> Payment? {
        guard let payment = try await journal.payment(merchantReference), payment.isVisible(to: client) else {
            return nil
        }
        return payment
    }

    /// What happened to a payment, oldest first.
    public func history(of merchantReference: String) async throws(JournalError) -> [HistoryEntry] {
        try await journal.history(of: merchantReference)
    }

    /// How many payments are open, and how many of them have been open for too long.
    public func openSummary() async throws(JournalError) -> OpenSummary {
        try await journal.openSummary(overdueBefore: now() - policy.overdueAfter)
    }

    /// How many payments have events that the merchant's backend has not acknowledged.
    public func eventSummary() async throws(JournalError) -> EventSummary {
        try await journal.eventSummary()
    }
}
