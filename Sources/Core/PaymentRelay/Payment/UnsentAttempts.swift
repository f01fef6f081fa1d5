import PayrelayPrimitives

/// An attempt of which nothing was sent has two entries: its begin, and that it was not sent. While a processor is down, a client may
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
        guard end.endsUnsent, newest[1].endsUnsent, begin.isRepeat(of: newest[0]), end.state == newest[1].state,
            end.balance == newest[1].balance, newest.allSatisfy({ $0.event == nil })
        else { return nil }
        return (begin.counting(newest[0]), end.counting(newest[1]))
    }
}

extension HistoryEntry {
    /// Whether it says that nothing was sent: of a payment, or of an operation.
    public var endsUnsent: Bool { state == .notSent || isUnsentOperation }

    private var isUnsentOperation: Bool { OperationEntry.isUnsent(reason) }

    fileprivate func isRepeat(of earlier: HistoryEntry) -> Bool {
        state == earlier.state && balance == earlier.balance && source == earlier.source && !endsUnsent
            && !earlier.endsUnsent && (state == .processing || (isBegin && earlier.isBegin))
    }

    private var isBegin: Bool { OperationEntry.isBegin(reason) }

    fileprivate func counting(_ earlier: HistoryEntry) -> HistoryEntry {
        var entry = self
        entry.times += earlier.times
        entry.since = earlier.since ?? earlier.at
        return entry
    }
}
