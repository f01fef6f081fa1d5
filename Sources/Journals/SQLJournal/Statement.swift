public import PaymentRelay

/// One SQL statement, or several that run in one transaction. Placeholders are `$1`, `$2`, …
///
/// PostgreSQL runs all of them as one statement, whose others may read the first's rows from `changed`, and none of which sees what the
/// others write. SQLite runs them one after another.
public struct Statement: Sendable {
    /// Name of the prepared statement on each connection; nil for one that is prepared each time.
    public let name: String?
    /// A query that SQLite runs before the first statement: if it returns a row, nothing is written. PostgreSQL has the same condition
    /// in the first statement, because others write between two of its statements. `nil` for a statement without such a condition.
    public let obstacle: String?
    public let first: String
    /// Statements that run after the first, in the same transaction.
    public let others: [String]
    /// Whether the others are run only where the first one changed something.
    public let isGuarded: Bool
    /// Whether to run it twice does no more than to run it once, so that it may be run again when it is not known
    /// whether it was carried out.
    public let isRepeatable: Bool
    /// Whether it may share a transaction with others: it locks the rows of one payment alone, whose reference is its first value, and
    /// each payment takes it.
    public let sharesCommits: Bool
    /// Whether it is undone after it was run.
    public private(set) var isRehearsed = false

    /// The same statement, run to see whether it would succeed, and undone.
    public var rehearsed: Statement {
        var statement = self
        statement.isRehearsed = true
        return statement
    }

    public init(
        _ name: String?, isRepeatable: Bool = false, sharesCommits: Bool = false, isGuarded: Bool = true,
        obstacle: String? = nil, _ first: String, _ others: [String] = []
    ) {
        self.name = name
        self.obstacle = obstacle
        self.first = first
        self.others = others
        self.isGuarded = isGuarded
        self.isRepeatable = isRepeatable
        self.sharesCommits = sharesCommits
    }

    /// All of it as one statement. Its count is the last one's.
    public var composed: String {
        guard let last = others.last else { return first }
        let returning = isGuarded ? "\nRETURNING merchant_reference, version, gateway, account, currency" : ""
        let parts =
            ["changed AS (\(first)\(returning))"]
            + others.dropLast().enumerated().map { "other_\($0) AS (\($1))" }
        return "WITH " + parts.joined(separator: ",\n") + "\n" + last
    }
}

/// A statement's value. Its kind is known also where it is NULL.
public enum Value: Sendable, Equatable {
    case text(String?)
    case bytes([UInt8]?)
    case integer(Int?)
}

/// Rows and row count that a statement returned.
public struct Answer: Sendable {
    public var rows: [Row]
    /// How many rows it wrote.
    public var count: Int

    public init(rows: [Row] = [], count: Int = 0) {
        self.rows = rows
        self.count = count
    }
}

/// A database that holds the journal.
public protocol Driver: Sendable {
    var dialect: Dialect { get }

    /// Runs a statement that only reads.
    func read(_ statement: Statement, _ values: [Value]) async throws(JournalError) -> [Row]

    /// Runs a statement in a transaction and returns once that is durable. Where a unique constraint refuses the first part of it, nothing
    /// was written, and the count is 0.
    func write(_ statement: Statement, _ values: [Value]) async throws(JournalError) -> Answer

    /// S16: see ``Journal/checkDurability()``.
    ///
    /// - Parameter claim: a made-up one. A database that can undo it within a transaction tries it.
    func checkDurability(rehearsing claim: Statement, _ values: [Value]) async throws(JournalError) -> [DurabilityGap]

    /// Removes what was erased from the database's own files.
    func purgeFiles() async throws(JournalError)
}
