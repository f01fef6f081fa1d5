public import FoundationEssentials

/// A search for entries of payments' histories that match every filter that is set. Results are ordered by time,
/// newest first, then by reference and number, descending. Only operators use it, so it is not limited to a
/// client's payments.
public struct ChangeQuery: Sendable, Equatable {
    /// The operators whose changes are searched.
    public enum Operators: Sendable, Equatable {
        case all
        case named(String)
    }

    public var kind: ChangeKind?
    /// The operators whose changes are searched; `nil` for the changes of everyone.
    public var operators: Operators?
    public var merchantReference: String?
    /// The account that the payment has now (``Payment/account``). A change that happened under another account is
    /// found, too. `nil` for the changes of all accounts.
    public var account: String?
    /// The earliest time of a change (inclusive).
    public var from: Date?
    /// The latest time of a change (exclusive).
    public var to: Date?
    /// The end of the page before; `nil` for the first page.
    public var after: ChangeCursor?
    /// The maximum number of changes in a page, within ``PaymentQuery/limits``.
    public var limit = PaymentQuery.usualLimit

    public init() {}
}

/// The kind of a change. An entry of a history has one kind; in addition, it can be an `outcome`.
public enum ChangeKind: String, CaseIterable, Sendable {
    /// The payment reached another state, or was claimed.
    case outcome
    /// A capture, void or refund that was requested here began or ended.
    case capture, void, refund
    /// A capture, void or refund that was not requested here.
    case elsewhere

    /// The kind of the entries, by which a journal finds them; `nil` if the journal has to compare states.
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

/// An entry of a payment's history, with the payment's data that a list needs.
public struct RecordedChange: Sendable, Equatable {
    public let merchantReference: String
    /// ISO 4217, alphabetic.
    public let currency: String
    public let account: String?
    /// The gateway's name.
    public let gateway: String
    /// The entry, without its event.
    public let entry: HistoryEntry
    /// The state before the entry; `nil` for the first entry of a payment, and if the entries before it are in the
    /// archive.
    public let stateBefore: PaymentState?
    /// The amounts that this change captured and refunded.
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
    /// The end of this page, after which the next one begins; `nil` if this page is the last. As with
    /// ``PaymentPage/next``, a page may have few changes, or none.
    public let next: ChangeCursor?

    public init(changes: [RecordedChange], next: ChangeCursor?) {
        self.changes = changes
        self.next = next
    }
}

/// The end of a page of changes.
public struct ChangeCursor: Sendable, Equatable {
    public let at: Date
    public let merchantReference: String
    /// The entry's ``HistoryEntry/number``.
    public let number: Int

    public init(at: Date, merchantReference: String, number: Int) {
        self.at = at
        self.merchantReference = merchantReference
        self.number = number
    }
}
