public import PaymentRelay

/// An excerpt of a payment's history: its first entries and its newest entries. It bounds the size of a response:
/// a payment with every possible operation has about three hundred entries.
public struct HistoryExcerpt: Sendable {
    /// The entries, the oldest first.
    public let entries: [HistoryEntry]
    /// The number of entries that are left out between the first and the newest.
    public let omitted: Int

    public static let first = 20
    public static let newest = 80

    public init(of history: [HistoryEntry]) {
        omitted = max(0, history.count - Self.first - Self.newest)
        entries = omitted == 0 ? history : Array(history.prefix(Self.first) + history.suffix(Self.newest))
    }
}
