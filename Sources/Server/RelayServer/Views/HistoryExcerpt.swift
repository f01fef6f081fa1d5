public import PaymentRelay

/// What is shown of a history: how it began, and the newest. A payment with every operation that it may have has some three hundred
/// entries; an answer stays within its bounds all the same.
public struct HistoryExcerpt: Sendable {
    /// Oldest first.
    public let entries: [HistoryEntry]
    /// How many entries between the first ones and the newest are left out.
    public let omitted: Int

    public static let first = 20
    public static let newest = 80

    public init(of history: [HistoryEntry]) {
        omitted = max(0, history.count - Self.first - Self.newest)
        entries = omitted == 0 ? history : Array(history.prefix(Self.first) + history.suffix(Self.newest))
    }
}
