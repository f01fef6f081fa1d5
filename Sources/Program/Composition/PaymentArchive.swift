public import FoundationEssentials
public import PaymentRelay
import PayrelayPrimitives
public import SQLJournal
import SQLiteDriver

/// The directory with what left the journal: a SQLite file for each month in which payments were claimed, a journal of its own.
public struct PaymentArchive: Sendable, Equatable {
    public let directory: String

    public init(directory: String) {
        self.directory = directory
    }

    public func path(of month: ArchiveMonth) -> String { directory + "/payments-\(month).sqlite" }

    /// Moves payments that have not changed since `moment` out of the journal (``JournalArchive``), also while relays use it. The directory is
    /// made where it is missing.
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

    /// A payment as the journal and the archive have it together.
    ///
    /// - Parameter payment: as the journal has it.
    /// - Throws: ``JournalError``, and where the archive's file is missing, or does not have it.
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
        // What was copied by a run that ended before the journal let go of it stands in both.
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
            // An earlier version's tables are brought to this one.
            return try SQLJournal(path: path)
        }
    }

    /// The names of the files and their sizes in bytes, the oldest month first; none where there is no directory.
    public var files: [(name: String, bytes: Int)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter { $0.begins(with: "payments-") && $0.ends(with: ".sqlite") }.sorted()
            .map { name in
                let attributes = try? FileManager.default.attributesOfItem(atPath: directory + "/" + name)
                return (name, (attributes?[.size] as? any BinaryInteger).map { Int(clamping: $0) } ?? 0)
            }
    }
}

/// The month's file has no such payment: it is not the one that the payment was moved to.
public struct NotInArchive: Error, Sendable, Equatable, CustomStringConvertible {
    public let path: String

    public var description: String { "\(path) does not have the payment" }
}

/// A payment is archived, and nothing says where.
public struct NoArchiveDirectory: Error, Sendable, CustomStringConvertible {
    public init() {}

    public var description: String { "name the archive's directory: --archive, or PAYRELAY_ARCHIVE_DIRECTORY" }
}
