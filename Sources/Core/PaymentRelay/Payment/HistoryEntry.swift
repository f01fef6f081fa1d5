public import FoundationEssentials

/// One thing that happened to a payment. Entries are only ever added, and those of attempts that were not sent are counted
/// (``UnsentAttempts``).
public struct HistoryEntry: Sendable, Equatable {
    public let at: Date
    /// The state the payment came to.
    public let state: PaymentState
    /// Captured and refunded amounts after the entry.
    public let balance: Balance
    /// Where it comes from; nil for one that cannot be read.
    public let source: HistorySource?
    /// What it records; `nil` for one that cannot be read.
    public let kind: EntryKind?
    /// The capture, void or refund that it is about; `nil` for every other kind.
    public let operation: EntryOperation?
    /// Why, in words for people, if the state does not say it.
    public let reason: String?
    /// The identifier of the HTTP request in whose course it happened; nil where the relay acted by itself.
    public let requestIdentifier: String?
    /// The name of the operator in whose request it happened; `nil` if no operator made the request.
    public let operatorName: String?
    /// The event for the merchant's backend, as JSON bytes, if any. No entry of a claim has one.
    public package(set) var event: [UInt8]?
    /// What an operator wrote, until it is erased with the customer's data. No entry of a claim has one.
    public package(set) var note: String?
    /// Which of the payment's entries it is, counted from 1. A journal gives it; the numbers of entries that were counted are left out.
    public var number = 0
    /// How many attempts it stands for.
    public var times = 1
    /// When the first of them was, where they are several.
    public var since: Date?

    /// Whether the entries are equal apart from their numbers.
    public static func == (one: HistoryEntry, other: HistoryEntry) -> Bool {
        one.at == other.at && one.state == other.state && one.balance == other.balance && one.source == other.source
            && one.kind == other.kind && one.operation == other.operation && one.reason == other.reason
            && one.requestIdentifier == other.requestIdentifier && one.operatorName == other.operatorName
            && one.event == other.event && one.note == other.note && one.times == other.times
            && one.since == other.since
    }

    /// - Parameter operatorName: `nil` for the operator of the source, if it has one.
    public init(
        at: Date, state: PaymentState, balance: Balance = Balance(), source: HistorySource? = .gatewayAnswer,
        kind: EntryKind? = .charge, operation: EntryOperation? = nil, reason: String? = nil,
        requestIdentifier: String? = nil, operatorName: String? = nil, event: [UInt8]? = nil, note: String? = nil
    ) {
        self.at = at
        self.state = state
        self.balance = balance
        self.source = source
        self.kind = kind
        self.operation = operation
        self.reason = reason
        self.requestIdentifier = requestIdentifier
        self.operatorName = operatorName ?? source?.operatorName
        self.event = event
        self.note = note
    }
}

extension Change {
    /// The reason as a database keeps it. Its text cannot hold the character NUL, and a server's message with one in it must
    /// not keep an outcome from being recorded: U+FFFD stands in its place.
    public var storedReason: String? { reason?.storable(upTo: .max) }
}
