import PaymentRelay
import SQLJournal

/// Why a PostgreSQL journal did not carry out a call. The messages come from the server or libpq. They contain
/// neither values nor a password.
public enum PostgresError: Error, Sendable, Equatable {
    /// libpq cannot read the journal's URL. The reason is not reported, because it may contain a part of the
    /// password.
    case unreadableURL
    /// No connection could be opened. Nothing was written.
    case notConnected(reason: String)
    /// The connection was lost, or the server did not answer, before the statement's result was known. The
    /// statement may have been carried out.
    case outcomeUnknown(reason: String)
    /// The server refused the statement. Nothing was written.
    case refused(sqlState: String, message: String)
    /// The tables were made by a newer payrelay.
    case newerTables(version: Int, known: Int)
    /// The tables are of another version, older or newer. 0 means that there are none.
    case otherTables(version: Int)
    /// The tables were made by a build that was not released.
    case unreleasedTables
    /// A copy into the journal was not finished.
    case unfinishedCopy
    /// Relays are connected to the database.
    case inUse(sessions: Int)
    /// A pooler in front of the server gives each transaction another session.
    case poolsTransactions
    /// A column contains a value that no version of this journal wrote.
    case unexpectedValue(column: String)
}

extension PostgresError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadableURL: "the journal's PostgreSQL URL cannot be read"
        case .notConnected(let reason): "no connection to the journal: \(reason)"
        case .outcomeUnknown(let reason): "the journal did not say whether it wrote: \(reason)"
        case .refused(let sqlState, let message): "the journal refused a statement: \(message) (SQLSTATE \(sqlState))"
        case .newerTables(let version, let known):
            "the journal's tables are of version \(version), and this payrelay knows versions up to \(known)"
        case .otherTables(let version):
            "the journal's tables are of version \(version), not \(Schema.versions.count); start the relay first"
        case .unreleasedTables: "the journal cannot be used: \(UnreleasedSchema())"
        case .unfinishedCopy: "the journal cannot be used: \(UnfinishedCopy())"
        case .inUse(let sessions):
            "payrelay is using the database (\(sessions) session\(sessions == 1 ? "" : "s")); stop every relay first"
        case .poolsTransactions:
            "a pooler gives each transaction another session, and the journal needs one of its own: set PgBouncer's pool_mode to session"
        case .unexpectedValue(let column): "the journal's column \(column) holds a value that payrelay did not write"
        }
    }
}

extension PostgresError {
    /// The SQLSTATEs of a statement that the server undid in favour of another (serialization failure, deadlock).
    /// If the statement is run again, it may succeed.
    static let gaveWay: Set = ["40001", "40P01"]
    static let notUnique = "23505"

    var sqlState: String? {
        if case .refused(let sqlState, _) = self { sqlState } else { nil }
    }
}

extension StatementFailure {
    var gaveWay: Bool { sqlState.map(PostgresError.gaveWay.contains) ?? false }

    init(_ error: PostgresError) {
        self.init(JournalError(error), isRefusal: error.sqlState != nil, sqlState: error.sqlState)
    }
}

extension JournalError {
    init(_ error: PostgresError) {
        self =
            switch error {
            case .outcomeUnknown: .outcomeUnknown(reason: error.description)
            case .unreadableURL, .notConnected, .refused, .newerTables, .otherTables, .unreleasedTables,
                .unfinishedCopy,
                .inUse, .poolsTransactions, .unexpectedValue:
                .unavailable(reason: error.description)
            }
    }
}
