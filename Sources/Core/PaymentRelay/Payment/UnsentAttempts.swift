import PayrelayPrimitives

/// An attempt of which nothing was sent has two entries: its begin, and that it was not sent. While a gateway is down, a client may
/// repeat it without end. Of attempts of one asker that follow each other, only the newest keeps its entries, with how many there were
/// and since when. So a history grows with what happened, and not with what was asked for.
///
/// A journal asks with every entry that ``HistoryEntry/endsUnsent``.
public enum UnsentAttempts {
    /// How many entries a journal shows: those of two attempts.
    public static let entries = 4

    /// - Parameter newest: the newest entries of a history, oldest first.
    /// - Returns: the entries of the newer attempt as they are to stand, in the place of all four; nil where they are no two attempts of
    ///   that kind.
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
    /// Whether it says that nothing was sent: of a payment, or of an operation.
    public var endsUnsent: Bool { operation.map { $0.state == nil } ?? (kind == .charge && state == .notSent) }

    /// Whether an attempt begins with it: to charge the payment, or an operation on it.
    public var beginsAttempt: Bool { operation.map { $0.state == .processing } ?? (kind == .claim) }

    /// Whether both are the same step of two attempts of one asker.
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
