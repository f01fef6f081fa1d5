public import FoundationEssentials

/// One thing that happened to a payment. Entries are only ever added.
public struct HistoryEntry: Sendable, Equatable {
    public let at: Date
    /// The state the payment came to.
    public let state: PaymentState
    /// What was then captured and refunded.
    public let balance: Balance
    /// Why, where the state alone does not say.
    public let reason: String?
    /// The identifier of the HTTP request in whose course it happened; nil where the relay acted by itself.
    public let requestIdentifier: String?
    /// The event for the merchant's backend, as JSON bytes; nil where there is none. No entry of a claim has one.
    public let event: [UInt8]?

    public init(
        at: Date, state: PaymentState, balance: Balance = Balance(), reason: String? = nil,
        requestIdentifier: String? = nil, event: [UInt8]? = nil
    ) {
        self.at = at
        self.state = state
        self.balance = balance
        self.reason = reason
        self.requestIdentifier = requestIdentifier
        self.event = event
    }
}

extension HistoryEntry {
    func replacingEvent(with event: [UInt8]) -> HistoryEntry {
        HistoryEntry(
            at: at, state: state, balance: balance, reason: reason, requestIdentifier: requestIdentifier, event: event)
    }
}
