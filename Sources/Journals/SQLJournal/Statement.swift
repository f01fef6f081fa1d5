public import PaymentRelay

/// One SQL statement, or several that run in one transaction. Placeholders are `$1`, `$2`, …
///
/// PostgreSQL runs all parts as one statement (``composed``), in which no part sees what the others write. SQLite
/// runs the parts one after another (``steps``).
public struct Statement: Sendable {
    /// The name of the prepared statement on each connection; `nil` if the statement is prepared each time.
    public let name: String?
    /// A query that prevents the write: if it returns a row, nothing is written. SQLite runs it before the first
    /// part. PostgreSQL has it as a condition of the first part, because other sessions write between two of its
    /// statements. `nil` if there is no such query.
    public let obstacle: String?
    /// The first part, and the parts that run after it in the same transaction.
    let parts: [Part]
    /// Whether the other parts run only if the first part has changed something.
    public let isGuarded: Bool
    /// Whether running the statement twice has the same effect as running it once, so that it may be repeated if
    /// its result is unknown.
    public let isRepeatable: Bool
    /// Whether the statement may share a transaction with others. Such a statement locks the rows of only one payment,
    /// whose reference is its first value.
    public let sharesCommits: Bool
    /// Whether PostgreSQL locks the payment whose reference is the first value before it runs the statement. So the
    /// statement sees everything that earlier holders of the lock have written.
    public let locksPayment: Bool
    /// Whether the statement is undone after it was run.
    public private(set) var isRehearsed = false

    /// The same statement, run only to see whether it would succeed, and then undone.
    public var rehearsed: Statement {
        var statement = self
        statement.isRehearsed = true
        return statement
    }

    public init(
        _ name: String?, isRepeatable: Bool = false, isGuarded: Bool = true, _ first: String, _ others: [String] = []
    ) {
        self.init(name, isRepeatable: isRepeatable, isGuarded: isGuarded, parts: ([first] + others).map { .sql($0) })
    }

    init(
        _ name: String?, isRepeatable: Bool, sharesCommits: Bool = false, locksPayment: Bool = false,
        isGuarded: Bool = true, obstacle: String? = nil, parts: [Part]
    ) {
        self.name = name
        self.obstacle = obstacle
        self.parts = parts
        self.isGuarded = isGuarded
        self.isRepeatable = isRepeatable
        self.sharesCommits = sharesCommits
        self.locksPayment = locksPayment
    }

    /// The text of the first part.
    public var first: String { parts[0].sql() }

    /// The texts of the parts.
    public var steps: [String] { parts.map { $0.sql() } }

    /// All parts as one statement. Its row count is the last part's.
    public var composed: String {
        let first = parts[0].sql(if: obstacle.map { "NOT EXISTS (\($0))" })
        let others = parts.dropFirst().map { $0.sql(if: isGuarded ? "EXISTS (SELECT 1 FROM changed)" : nil) }
        guard let last = others.last else { return first }
        let texts =
            ["changed AS (\(first)\(isGuarded ? "\nRETURNING 1" : ""))"]
            + others.dropLast().enumerated().map { "other_\($0) AS (\($1))" }
        return "WITH " + texts.joined(separator: ",\n") + "\n" + last
    }
}

extension Statement {
    /// One of the statements that a ``Statement`` consists of.
    enum Part: Sendable {
        /// A text that contains its conditions.
        case sql(String)
        /// Adds a row.
        case insert(into: String, [ColumnValue], onConflict: String? = nil)
        case update(String, set: [ColumnValue], where: String)
        case delete(from: String, where: String)

        /// Returns the part's text.
        ///
        /// - Parameter condition: a further condition; `nil` if there is none.
        func sql(if condition: String? = nil) -> String {
            switch self {
            case .sql(let sql): return sql
            case .insert(let table, let columns, let onConflict):
                let values = columns.map(\.value).joined(separator: ", ")
                // SQLite can insert a row of values without a statement journal. Inserting the rows of a query may
                // fail halfway, so SQLite then keeps copies of the changed pages to undo only this statement.
                let row = condition.map { "SELECT \(values) WHERE \($0)" } ?? "VALUES (\(values))"
                return """
                    INSERT INTO \(table) (\(columns.map(\.name).joined(separator: ", ")))
                    \(row)\(onConflict.map { "\nON CONFLICT \($0)" } ?? "")
                    """
            case .update(let table, let columns, let own):
                let assignments = columns.map { "\($0.name) = \($0.value)" }.joined(separator: ", ")
                return "UPDATE \(table) SET \(assignments) WHERE \(Self.all(own, condition))"
            case .delete(let table, let own): return "DELETE FROM \(table) WHERE \(Self.all(own, condition))"
            }
        }

        private static func all(_ own: String, _ condition: String?) -> String {
            condition.map { "\(own) AND \($0)" } ?? own
        }
    }

    /// A column, with the parameter or the constant that it is set to.
    struct ColumnValue: Sendable {
        let name: String
        let value: String

        init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }
}

/// A value of a statement. Its type is known even if it is NULL.
public enum Value: Sendable, Equatable {
    case text(String?)
    case bytes([UInt8]?)
    case integer(Int?)
}

/// The rows and the row count that a statement returned.
public struct Answer: Sendable {
    public var rows: [Row]
    /// How many rows the statement wrote.
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

    /// Runs a statement in a transaction and returns once it is durable. If a unique constraint refuses the first
    /// part, nothing was written, and the count is 0.
    func write(_ statement: Statement, _ values: [Value]) async throws(JournalError) -> Answer

    /// Writes as much as a claim does, and as durably, and leaves no payment behind (S16,
    /// ``Journal/checkDurability()``).
    ///
    /// - Parameter claim: a claim with invented values. A database that can roll back a part of a transaction runs the
    ///   claim and rolls it back.
    func checkDurability(rehearsing claim: Statement, _ values: [Value]) async throws(JournalError) -> [DurabilityGap]

    /// Removes erased data from the database's own files.
    func purgeFiles() async throws(JournalError)
}
