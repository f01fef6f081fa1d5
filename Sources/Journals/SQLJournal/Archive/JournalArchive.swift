import Dispatch
public import FoundationEssentials
public import PaymentRelay

/// Moves payments that nothing needs any more out of a journal, into one SQLite file for each month, while relays
/// use the journal.
///
/// A payment leaves in three steps:
///
/// 1. Its rows are written to the file, durably.
/// 2. The rows are read back and compared.
/// 3. If the payment is still what was copied, the journal deletes the rows, in one transaction.
///
/// If the process is killed at any point, the whole payment is in the journal or in the file. The next run replaces
/// whatever was written incompletely.
public struct JournalArchive: Sendable {
    /// The progress of a run.
    public struct Progress: Sendable {
        /// The number of payments that were moved.
        public var moved = 0
        /// The number of payments that were copied but not moved, because they changed in the meantime or the run
        /// was ended. The next run reads them again.
        public var kept = 0
        /// The files that were written to.
        public var months: Set<ArchiveMonth> = []
    }

    private let journal: SQLJournal
    private let open: @Sendable (ArchiveMonth) throws -> any TableSession
    private let queue = DispatchQueue(label: "payrelay.journal.archive")

    /// How many payments leave the journal at once. It is small, so that payments under way have the connections.
    private static let atOnce = 8

    /// - Parameter open: opens a session on the SQLite file of a month, and creates the file if it is missing. A
    ///   session is closed before the next one is opened.
    public init(of journal: SQLJournal, opening open: @escaping @Sendable (ArchiveMonth) throws -> any TableSession) {
        self.journal = journal
        self.open = open
    }

    /// Moves every archivable payment that has not changed since `moment`, some hundreds at a time, until the
    /// current task is cancelled.
    ///
    /// - Parameter progress: called after each part.
    /// - Throws: ``JournalError``, ``JournalCopyError``, and the file's errors. The run may be repeated.
    @discardableResult public func run(
        before moment: Date, progress: (Progress) -> Void = { _ in }
    ) async throws -> Progress {
        var done = Progress()
        var place: ArchivablePage.Place? = ArchivablePage.Place()
        while let from = place, !Task.isCancelled {
            let page = try await journal.archivable(before: EpochMilliseconds(moment), after: from)
            let months = Dictionary(grouping: page.payments, by: \.month)
            for (month, payments) in months.sorted(by: { $0.key < $1.key }) where !Task.isCancelled {
                let rows = try await journal.rows(of: payments)
                guard !rows.isEmpty else { continue }
                try await write(rows, to: month)
                FailPoint.archived.reach()
                let moved = try await reduce(rows)
                done.moved += moved
                done.kept += rows.count - moved
                done.months.insert(month)
                progress(done)
            }
            place = page.next
        }
        return done
    }

    /// Writes on a thread of its own, because the file's statements block.
    private func write(_ rows: [ArchivedRows], to month: ArchiveMonth) async throws {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(with: Result { try ArchiveFile(open(month)).add(rows) })
            }
        }
    }

    private func reduce(_ payments: [ArchivedRows]) async throws -> Int {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            var (rest, moved) = (payments[...], 0)
            for payment in rest.prefix(Self.atOnce) { group.addTask { try await journal.reduce(payment) } }
            rest = rest.dropFirst(Self.atOnce)
            while let isMoved = try await group.next() {
                if isMoved { moved += 1 }
                if !Task.isCancelled, let payment = rest.popFirst() {
                    group.addTask { try await journal.reduce(payment) }
                }
            }
            return moved
        }
    }
}
