import FoundationEssentials
import PayrelayPrimitives

/// The payments that an authenticated client can see (S7). A client cannot see another client's payment.
public struct VisiblePayments: Sendable, Equatable {
    /// The client that made the payments.
    public let client: String
    /// Whether external payments are among them (``Payment/isMadeElsewhere``). They belong to the merchant, and
    /// come from every configured account.
    public let includeMadeElsewhere: Bool

    public init(of client: String, includingMadeElsewhere includeMadeElsewhere: Bool = false) {
        self.client = client
        self.includeMadeElsewhere = includeMadeElsewhere
    }
}

extension Payment {
    /// Whether a client with this visibility can see the payment; always true if clients are not authenticated.
    ///
    /// A payment that was made here before clients were authenticated has no client either. It stays hidden.
    func isVisible(among visible: VisiblePayments?) -> Bool {
        guard let visible else { return true }
        return isMadeElsewhere ? visible.includeMadeElsewhere : client == visible.client
    }
}

extension PaymentRelay {
    /// Returns a payment; `nil` if there is none, or the client may not see it.
    ///
    /// - Parameter visible: the payments that the authenticated client may see; others are treated as absent. `nil`
    ///   if clients are not authenticated.
    public func payment(
        _ merchantReference: String, among visible: VisiblePayments? = nil
    ) async throws(JournalError) -> Payment? {
        guard let payment = try await journal.payment(merchantReference), payment.isVisible(among: visible) else {
            return nil
        }
        return payment
    }

    /// Returns the entries of a payment's history, oldest first.
    public func history(of merchantReference: String) async throws(JournalError) -> [HistoryEntry] {
        try await journal.history(of: merchantReference)
    }

    /// Returns the counts of open and overdue payments, of payments with events that the merchant's backend has not
    /// acknowledged, and of pending hints.
    public func summary() async throws(JournalError) -> JournalSummary {
        try await journal.summary(notOverdueIn: notOverdue)
    }
}
