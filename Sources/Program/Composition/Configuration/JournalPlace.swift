public import PaymentRelay
public import PayrelayPrimitives
import PostgresDriver
public import SQLJournal
import SQLiteDriver

/// The place where payments are recorded.
public enum JournalPlace: Sendable, Equatable {
    /// The path of a SQLite file.
    case sqlite(path: String)
    /// The URL of a PostgreSQL database in the form of libpq. It may contain a password.
    case postgres(url: Secret)
    /// In memory. The payments are lost when the process ends.
    case memory
}

extension JournalPlace {
    init?(_ text: String) {
        if text == "memory:" {
            self = .memory
        } else if text.begins(with: "postgres://") || text.begins(with: "postgresql://") {
            self = .postgres(url: Secret(text))
        } else if let path = text.after("sqlite:"), !path.isEmpty {
            self = .sqlite(path: String(path))
        } else {
            return nil
        }
    }
}

/// Functions for the journal as a whole.
extension JournalPlace {
    /// Parses a place in the form of the setting, or the bare path of a SQLite file. Returns `nil` for a journal
    /// in memory, because no other process can use it.
    public init?(file text: String) {
        guard let place = JournalPlace(text) ?? JournalPlace("sqlite:" + text), place != .memory else { return nil }
        self = place
    }

    /// Opens the journal to read one consistent state of it, while a relay may be using it. Nothing is written.
    public func snapshot() throws -> any TableSession {
        switch self {
        case .sqlite(let path): try SQLiteDriver.snapshot(of: path)
        case .postgres(let url): try PostgresDriver.snapshot(of: url.exposed)
        case .memory: throw NothingToAttach()
        }
    }

    /// Opens the journal to copy all of it, while no relay uses it.
    public func source() throws -> any TableSession {
        switch self {
        case .sqlite(let path): try SQLiteDriver.source(path)
        case .postgres(let url): try PostgresDriver.tables(of: url.exposed)
        case .memory: throw NothingToAttach()
        }
    }

    /// Opens the journal as the target of a copy, while no relay uses it. A missing file is created.
    public func target() throws -> any TableSession {
        switch self {
        case .sqlite(let path): try SQLiteDriver.target(path)
        case .postgres(let url): try PostgresDriver.tables(of: url.exposed)
        case .memory: throw NothingToAttach()
        }
    }

    /// Copies the journal to a file, while a relay may be using it (``SQLiteBackup``).
    public func backUp(
        to file: String, progress: (_ done: Int, _ all: Int) -> Void
    ) throws -> JournalContents {
        switch self {
        case .sqlite(let path): try SQLiteBackup(of: path, to: file).make(progress: progress)
        case .postgres: throw NoBackupOfPostgres()
        case .memory: throw NothingToAttach()
        }
    }
}

extension JournalPlace {
    /// Opens the journal for a relay. A missing journal is created.
    ///
    /// - Parameters:
    ///   - onUnreadable: called for each record that is set aside.
    ///   - observe: called after each read and each write.
    public func open(
        onUnreadable: @escaping UnreadableRecordObserver = { _ in }, observe: @escaping JournalObserver = { _, _, _ in }
    ) async throws -> SQLJournal {
        switch self {
        case .sqlite(let path): try SQLJournal(path: path, onUnreadable: onUnreadable, observe: observe)
        case .postgres(let url):
            try await SQLJournal(url: url.exposed, onUnreadable: onUnreadable, observe: observe)
        case .memory: SQLJournal(try SQLiteDriver.inMemory(), onUnreadable: onUnreadable, observe: observe)
        }
    }

    /// The journal's files that users other than their owner may read or write.
    public var filesOpenToOthers: [String] {
        if case .sqlite(let path) = self { SQLiteDriver.filesOpenToOthers(path: path) } else { [] }
    }

    /// Whether the journal's file has disappeared although a relay used it before.
    public var isLost: Bool {
        if case .sqlite(let path) = self { SQLiteDriver.isLost(path: path) } else { false }
    }

    /// Opens the journal for a command, while a relay may be using it. The command may read and write single
    /// records.
    ///
    /// - Parameter onUnreadable: called for each record that is set aside.
    /// - Throws: if there is no journal, or if its tables are of another version.
    public func attach(onUnreadable: @escaping UnreadableRecordObserver = { _ in }) async throws -> SQLJournal {
        switch self {
        case .sqlite(let path): return try SQLJournal(attachingTo: path, onUnreadable: onUnreadable)
        case .postgres(let url):
            var settings = PostgresSettings()
            settings.changesOlderTables = false
            return try await SQLJournal(url: url.exposed, settings: settings, onUnreadable: onUnreadable)
        case .memory: throw NothingToAttach()
        }
    }
}

/// The error if a command needs the journal, but it is in the memory of the relay's process.
public struct NothingToAttach: Error, CustomStringConvertible {
    public var description: String { "the journal is in the memory of the relay; there is nothing to look into" }
}

/// The error for a backup of PostgreSQL, which has its own tools. Those also save changes since the last backup.
public struct NoBackupOfPostgres: Error, CustomStringConvertible {
    public var description: String {
        "PostgreSQL is backed up with its own tools: pg_basebackup, pg_dump, or your provider's"
    }
}
