public import FoundationEssentials
public import PaymentRelay
import PayrelayPrimitives
public import SQLJournal
import SQLiteDriver

/// The directory with the payments that were moved out of the journal. For each month in which payments were
/// claimed it has a SQLite file, which is itself a journal.
public struct PaymentArchive: Sendable, Equatable {
    public let directory: String

    public init(directory: String) {
        self.directory = directory
    }

    public func path(of month: ArchiveMonth) -> String { directory + "/payments-\(month).sqlite" }

    /// Moves payments that have not changed since `moment` out of the journal (``JournalArchive``). Relays may
    /// use the journal in the meantime. A missing directory is created.
    @discardableResult public func takeOver(
        from journal: SQLJournal, before moment: Date, progress: (JournalArchive.Progress) -> Void = { _ in }
    ) async throws -> JournalArchive.Progress {
        if !FileManager.default.fileExists(atPath: directory) {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        }
        return try await JournalArchive(of: journal) { try SQLiteDriver.target(path(of: $0)) }
            .run(before: moment, progress: progress)
    }

    /// Returns a payment from the data of the journal and the archive together.
    ///
    /// - Parameter payment: the payment as it is in the journal.
    /// - Throws: ``JournalError``, or an error if the archive's file is missing or does not have the payment.
    public func whole(
        _ payment: Payment, in journal: any Journal
    ) async throws -> (payment: Payment, history: [HistoryEntry], queries: [QueryWithoutChange]) {
        let reference = payment.merchantReference
        let history = try await journal.history(of: reference)
        let queries = try await journal.queriesWithoutChange(of: reference)
        guard let month = payment.archiveMonth, let last = payment.archivedVersion else {
            return (payment, history, queries)
        }
        let file = try open(month)
        guard let archived = try await file.payment(reference) else { throw NotInArchive(path: path(of: month)) }
        // If an earlier run copied entries and ended before the journal deleted them, they are in both. So only
        // the entries up to the archived version are taken from the archive.
        let earlier = try await file.history(of: reference).filter { $0.number <= last }
        let asked = try await file.queriesWithoutChange(of: reference).filter { $0.afterEntry <= last }
        return (payment.completed(by: archived), earlier + history, asked + queries)
    }

    private func open(_ month: ArchiveMonth) throws -> SQLJournal {
        let path = path(of: month)
        do {
            return try SQLJournal(attachingTo: path)
        } catch {
            guard FileManager.default.fileExists(atPath: path) else { throw error }
            // The tables of an earlier version are upgraded.
            return try SQLJournal(path: path)
        }
    }

    /// The names of the files and their sizes in bytes, the oldest month first; empty if there is no directory.
    public var files: [(name: String, bytes: Int)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter { $0.begins(with: "payments-") && $0.ends(with: ".sqlite") }.sorted()
            .map { name in
                let attributes = try? FileManager.default.attributesOfItem(atPath: directory + "/" + name)
                return (name, (attributes?[.size] as? any BinaryInteger).map { Int(clamping: $0) } ?? 0)
            }
    }
}

/// The error if the month's file does not have the payment, which means that the payment was moved to a different
/// file.
public struct NotInArchive: Error, Sendable, Equatable, CustomStringConvertible {
    public let path: String

    public var description: String { "\(path) does not have the payment" }
}

/// The error if a payment is archived, but the archive's directory is not known.
public struct NoArchiveDirectory: Error, Sendable, CustomStringConvertible {
    public init() {}

    public var description: String { "name the archive's directory: --archive, or PAYRELAY_ARCHIVE_DIRECTORY" }
}
