import PayrelayPrimitives

/// The merging of repeated attempts that were not sent.
///
/// An attempt that was not sent has two entries: its beginning, and that it was not sent. While a gateway is down,
/// a client may repeat such an attempt without end. So of consecutive equal attempts from one requester, only the
/// newest keeps its entries, with their number and the time of the first. A history then grows with the events, and
/// not with the requests.
///
/// A journal calls ``merged(_:)`` with every entry that ``HistoryEntry/endsUnsent``.
public enum UnsentAttempts {
    /// How many entries a journal passes: the entries of two attempts.
    public static let entries = 4

    /// - Parameter newest: the newest entries of a history, oldest first.
    /// - Returns: the entries of the newer attempt, which replace all four; `nil` if the entries are not two such
    ///   attempts.
    public static func merged(_ newest: [HistoryEntry]) -> (begin: HistoryEntry, end: HistoryEntry)? {
        guard newest.count == entries else { return nil }
        let (begin, end) = (newest[2], newest[3])
        guard begin.beginsAttempt, end.endsUnsent, newest[0].beginsAttempt, newest[1].endsUnsent,
            begin.isRepeat(of: newest[0]), end.isRepeat(of: newest[1]), newest.allSatisfy({ $0.event == nil })
        else { return nil }
        return (begin.counting(newest[0]), end.counting(newest[1]))
    }
}

extension HistoryEntry {
    /// Whether the entry records that nothing was sent, for a payment or for an operation.
    public var endsUnsent: Bool { operation.map { $0.state == nil } ?? (kind == .charge && state == .notSent) }

    /// Whether the entry begins an attempt to charge the payment, or an operation on it.
    public var beginsAttempt: Bool { operation.map { $0.state == .processing } ?? (kind == .claim) }

    /// Whether both entries are the same step of two attempts of one requester.
    fileprivate func isRepeat(of earlier: HistoryEntry) -> Bool {
        kind == earlier.kind && state == earlier.state && balance == earlier.balance && source == earlier.source
    }

    fileprivate func counting(_ earlier: HistoryEntry) -> HistoryEntry {
        var entry = self
        entry.times += earlier.times
        entry.since = earlier.since ?? earlier.at
        return entry
    }
}
