public import PaymentRelay
public import PayrelayPrimitives
import PostgresDriver
public import SQLJournal
import SQLiteDriver

/// Where payments are recorded.
public enum JournalPlace: Sendable, Equatable {
    /// The path of a SQLite file.
    case sqlite(path: String)
    /// The URL of a PostgreSQL database, as libpq reads it. It may hold a password.
    case postgres(url: Secret)
    /// Nothing outlives the process.
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

/// The journal as a whole.
extension JournalPlace {
    /// As the setting has it, or the path of a SQLite file alone; nil for a journal in memory, which is its process's alone.
    public init?(file text: String) {
        guard let place = JournalPlace(text) ?? JournalPlace("sqlite:" + text), place != .memory else { return nil }
        self = place
    }

    /// Opens it to read one state of it, beside a relay that uses it. Nothing is written.
    public func snapshot() throws -> any TableSession {
        switch self {
        case .sqlite(let path): try SQLiteDriver.snapshot(of: path)
        case .postgres(let url): try PostgresDriver.snapshot(of: url.exposed)
        case .memory: throw NothingToAttach()
        }
    }

    /// Opens it to copy all of it, while no relay uses it.
    public func source() throws -> any TableSession {
        switch self {
        case .sqlite(let path): try SQLiteDriver.source(path)
        case .postgres(let url): try PostgresDriver.tables(of: url.exposed)
        case .memory: throw NothingToAttach()
        }
    }

    /// Opens it to copy a journal into, while no relay uses it. A file that is missing is made.
    public func target() throws -> any TableSession {
        switch self {
        case .sqlite(let path): try SQLiteDriver.target(path)
        case .postgres(let url): try PostgresDriver.tables(of: url.exposed)
        case .memory: throw NothingToAttach()
        }
    }

    /// Copies it to a file, beside the relay that uses it (``SQLiteBackup``).
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
    /// Opens it to work with, making it where it is missing.
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

    /// Its files that more than their owner may read or write.
    public var filesOpenToOthers: [String] {
        if case .sqlite(let path) = self { SQLiteDriver.filesOpenToOthers(path: path) } else { [] }
    }

    /// Whether its file is gone though a relay had it.
    public var isLost: Bool {
        if case .sqlite(let path) = self { SQLiteDriver.isLost(path: path) } else { false }
    }

    /// Opens it beside the relay that owns it, for a command to look into or to write a little.
    ///
    /// - Parameter onUnreadable: called for each record that is set aside.
    /// - Throws: where there is none, or its tables are of another version.
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

/// A journal in memory is its process's alone.
public struct NothingToAttach: Error, CustomStringConvertible {
    public var description: String { "the journal is in the memory of the relay; there is nothing to look into" }
}

/// A server is backed up with its own tools, which also have what was written since the last backup.
public struct NoBackupOfPostgres: Error, CustomStringConvertible {
    public var description: String {
        "PostgreSQL is backed up with its own tools: pg_basebackup, pg_dump, or your provider's"
    }
}
