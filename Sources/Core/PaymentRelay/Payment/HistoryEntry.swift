public import FoundationEssentials

/// One event in a payment's life. Entries are only ever added, except that repeated attempts that were not sent are
/// counted in one entry (``UnsentAttempts``).
public struct HistoryEntry: Sendable, Equatable {
    public let at: Date
    /// The payment's state after the entry.
    public let state: PaymentState
    /// Captured and refunded amounts after the entry.
    public let balance: Balance
    /// The cause of the entry; `nil` if it cannot be read.
    public let source: HistorySource?
    /// The kind of the entry; `nil` if it cannot be read.
    public let kind: EntryKind?
    /// The capture, void or refund that the entry is about; `nil` for every other kind.
    public let operation: EntryOperation?
    /// Why the entry was made, in words for people, if the state does not say so.
    public let reason: String?
    /// The identifier of the HTTP request that caused the entry; `nil` if the relay acted by itself.
    public let requestIdentifier: String?
    /// The name of the operator who caused the entry; `nil` if no operator did.
    public let operatorName: String?
    /// The event for the merchant's backend, as JSON bytes, if any. The entry of a claim has no event.
    public package(set) var event: [UInt8]?
    /// An operator's note, until it is erased with the customer's data. The entry of a claim has no note.
    public package(set) var note: String?
    /// The number of the entry in the payment's history, counted from 1. The journal assigns it. Entries that were
    /// merged into a later one leave gaps.
    public var number = 0
    /// How many attempts the entry represents.
    public var times = 1
    /// When the first of these attempts was made, if there are several.
    public var since: Date?

    /// Whether the entries are equal apart from their numbers.
    public static func == (one: HistoryEntry, other: HistoryEntry) -> Bool {
        one.at == other.at && one.state == other.state && one.balance == other.balance && one.source == other.source
            && one.kind == other.kind && one.operation == other.operation && one.reason == other.reason
            && one.requestIdentifier == other.requestIdentifier && one.operatorName == other.operatorName
            && one.event == other.event && one.note == other.note && one.times == other.times
            && one.since == other.since
    }

    /// - Parameter operatorName: the operator's name; `nil` to use the name in the source, if it has one.
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
