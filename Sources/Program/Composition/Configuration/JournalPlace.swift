import FortAPI
public import PaymentRelay
public import PayrelayPrimitives
import PostgresDriver
import SQLJournal
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

extension JournalPlace {
    /// Opens it to work with, making it where it is missing.
    ///
    /// - Parameters:
    ///   - onUnreadable: called for each record that is set aside.
    ///   - observe: called after each read and each write.
    public func open(
        onUnreadable: @escaping UnreadableRecordObserver = { _ in }, observe: @escaping JournalObserver = { _, _, _ in }
    ) async throws -> any Journal {
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

    /// Opens it beside the relay that owns it, for a command to look into or to write a little.
    ///
    /// - Parameter onUnreadable: called for each record that is set aside.
    /// - Throws: where there is none.
    public func attach(onUnreadable: @escaping UnreadableRecordObserver = { _ in }) async throws -> any Journal {
        switch self {
        case .sqlite(let path): try SQLJournal(attachingTo: path, onUnreadable: onUnreadable)
        case .postgres(let url): try await SQLJournal(url: url.exposed, onUnreadable: onUnreadable)
        case .memory: throw NothingToAttach()
        }
    }
}

/// A journal in memory is its process's alone.
public struct NothingToAttach: Error, CustomStringConvertible {
    public var description: String { "the journal is in the memory of the relay; there is nothing to look into" }
}
