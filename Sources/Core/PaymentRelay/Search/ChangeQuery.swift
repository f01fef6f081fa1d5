public import FoundationEssentials

/// A search for entries of payments' histories that match every filter that is set, the newest first, then by reference and number,
/// descending. Operators alone ask: it knows no client.
public struct ChangeQuery: Sendable, Equatable {
    /// Whose changes are asked for.
    public enum Operators: Sendable, Equatable {
        case all
        case named(String)
    }

    public var kind: ChangeKind?
    /// Those that operators asked for; nil for everyone's.
    public var operators: Operators?
    public var merchantReference: String?
    /// As ``Payment/account`` is now.
    public var account: String?
    /// Then or later.
    public var from: Date?
    /// Before.
    public var to: Date?
    /// Where the page before ended; nil for the first.
    public var after: ChangeCursor?
    /// How many changes a page has at most: as ``PaymentQuery/limits``.
    public var limit = PaymentQuery.usualLimit

    public init() {}
}

/// What a change of a payment is about. No entry of a history is of two kinds but of an outcome and of another one.
public enum ChangeKind: String, CaseIterable, Sendable {
    /// The payment came to another state, or was claimed.
    case outcome
    /// A capture, void or refund that was asked for here, was begun or ended.
    case capture, void, refund
    /// A capture, void or refund that was not asked for here.
    case elsewhere

    /// The kind of its entries, by which a journal finds them; `nil` if the state says it.
    package var entryKind: EntryKind? {
        switch self {
        case .outcome: nil
        case .capture: .capture
        case .void: .void
        case .refund: .refund
        case .elsewhere: .elsewhere
        }
    }
}

/// An entry of a payment's history, with what a list needs of its payment.
public struct RecordedChange: Sendable, Equatable {
    public let merchantReference: String
    /// ISO 4217, alphabetic.
    public let currency: String
    public let account: String?
    /// By its name.
    public let gateway: String
    /// Without its event.
    public let entry: HistoryEntry
    /// Nil for the first entry of a payment, and for one whose entries before it are in the archive.
    public let stateBefore: PaymentState?
    /// What it captured and refunded.
    public let moved: Balance

    public init(
        merchantReference: String, currency: String, account: String?, gateway: String, entry: HistoryEntry,
        stateBefore: PaymentState?, moved: Balance
    ) {
        self.merchantReference = merchantReference
        self.currency = currency
        self.account = account
        self.gateway = gateway
        self.entry = entry
        self.stateBefore = stateBefore
        self.moved = moved
    }
}

/// A page of changes.
public struct ChangePage: Sendable, Equatable {
    public let changes: [RecordedChange]
    /// Where the next page begins; nil where this one is the last. As with ``PaymentPage/next``, a page may have few changes, or none.
    public let next: ChangeCursor?

    public init(changes: [RecordedChange], next: ChangeCursor?) {
        self.changes = changes
        self.next = next
    }
}

/// Where a page of changes ends.
public struct ChangeCursor: Sendable, Equatable {
    public let at: Date
    public let merchantReference: String
    /// As ``HistoryEntry/number``.
    public let number: Int

    public init(at: Date, merchantReference: String, number: Int) {
        self.at = at
        self.merchantReference = merchantReference
        self.number = number
    }
}
