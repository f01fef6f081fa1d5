import Dispatch
public import FoundationEssentials
public import PaymentRelay

/// Moves what nothing needs any more out of a journal, into one SQLite file for each month, while relays use the journal.
///
/// A payment leaves in three steps: its rows are durable in the file, they were read back equal, and only then, if the payment is still what
/// was copied, does the journal let go of them, in one transaction. A process that is killed anywhere leaves the payment whole in the
/// journal or whole in the file; the next run writes over what was half done.
public struct JournalArchive: Sendable {
    /// How far it is.
    public struct Progress: Sendable {
        /// Payments that were moved.
        public var moved = 0
        /// Payments that were copied and not moved, because they changed meanwhile or the run was ended; the next run looks at them again.
        public var kept = 0
        /// The files that were written to.
        public var months: Set<ArchiveMonth> = []
    }

    private let journal: SQLJournal
    private let open: @Sendable (ArchiveMonth) throws -> any TableSession
    private let queue = DispatchQueue(label: "payrelay.journal.archive")

    /// How many payments leave the journal at once: few, so that those that are being paid have the connections.
    private static let atOnce = 8

    /// - Parameter open: a session on the SQLite file of a month, which is made where it is missing. It is closed before the next is opened.
    public init(of journal: SQLJournal, opening open: @escaping @Sendable (ArchiveMonth) throws -> any TableSession) {
        self.journal = journal
        self.open = open
    }

    /// Moves every payment that can go and has not changed since `moment`, some hundreds at a time, until its task is cancelled.
    ///
    /// - Parameter progress: called after each part.
    /// - Throws: ``JournalError``, ``JournalCopyError``, and the file's errors. It may be run again.
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

    /// On a thread of its own: the file's statements block.
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
