import PayrelayPrimitives

/// A session that reads and writes whole tables. It is used by one thread at a time, and blocks it.
public protocol TableSession: ScriptSession {
    var dialect: Dialect { get }

    /// Runs one statement, in a transaction of its own where none is open. It stays prepared.
    func answer(to sql: String, _ values: [Value]) throws -> Answer
}

extension TableSession {
    /// What the database finds wrong with its own file; empty where it finds nothing, or looks after it by itself.
    public func damage() throws -> [String] {
        guard let check = dialect.integrityCheck else { return [] }
        return try run(script: check).map { row in
            if case .text(let text)? = row.columns.first { text } else { "?" }
        }.filter { $0 != "ok" }
    }

    /// The digest that a backup says it had when it was made (``JournalContents/digest``); nil where it is no backup.
    public func recordedDigest() throws -> [UInt8]? {
        guard try hasTable(Schema.backupDigest) else { return nil }
        return try answer(to: "SELECT digest FROM \(Schema.backupDigest)").rows.first?.bytes("digest")
    }

    func hasTable(_ name: String) throws -> Bool {
        try run(script: dialect.tableNames).contains { $0["name"] == .text(name) }
    }

    func answer(to sql: String) throws -> Answer { try answer(to: sql, []) }

    /// The number in the first column of the first row.
    func number(_ sql: String, _ values: [Value] = []) throws -> Int? {
        guard case .integer(let number)? = try answer(to: dialect.written(sql), values).rows.first?.columns.first else {
            return nil
        }
        return number
    }
}

/// A row that cannot be read as what its table holds, or not as it is written elsewhere.
public struct UnreadableRow: Error, Sendable, Equatable, CustomStringConvertible {
    public let table: String
    /// As ``JournalTable/keyText(of:)``.
    public let key: String
    public let column: String

    public var description: String { "\(table) \(key): \(column) holds what no version of payrelay writes" }
}

extension JournalTable {
    /// A row's values, each of its column's kind.
    func values(of row: Row) throws(UnreadableRow) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(columns.count)
        for (column, value) in zip(columns, row.columns) {
            guard let value = Value(value, of: column.kind) else {
                throw UnreadableRow(table: name, key: keyText(of: row), column: column.name)
            }
            values.append(value)
        }
        guard values.count == columns.count else { throw UnreadableRow(table: name, key: "", column: "") }
        return values
    }

    /// The values of a row's primary key, separated by spaces, so that a person finds the row: texts in quotation marks.
    func keyText(of row: Row) -> String {
        key.map { place in
            guard row.columns.indices.contains(place) else { return "?" }
            return switch row.columns[place] {
            case .integer(let number): "\(number)"
            case .text(let text): text.debugDescription
            case .null, .bytes, .other: "?"
            }
        }.joined(separator: " ")
    }
}

extension Value {
    /// Nil where the column is of another kind, or a text with the character NUL, which PostgreSQL does not keep and SQLite does not compare
    /// as a whole.
    fileprivate init?(_ column: Row.Column, of kind: JournalTable.Column.Kind) {
        switch (column, kind) {
        case (.text(let text), .text) where !text.utf8.contains(0): self = .text(text)
        case (.integer(let integer), .integer): self = .integer(integer)
        case (.bytes(let bytes), .bytes): self = .bytes(bytes)
        case (.null, .text): self = .text(nil)
        case (.null, .integer): self = .integer(nil)
        case (.null, .bytes): self = .bytes(nil)
        default: return nil
        }
    }
}

/// The rows of a table in the order of its primary key, a page at a time.
struct TableReader {
    /// How many rows a page has. One is also what is written in one transaction: with 31 columns as many values as a statement of SQLite's
    /// may have (32,766) and one of PostgreSQL's (65,535).
    static let rowsPerPage = 500

    let table: JournalTable
    let session: any TableSession
    /// The key of the last row that was read.
    private var last: [Value]?

    /// - Parameter start: a key; rows up to it are left out.
    init(_ table: JournalTable, of session: any TableSession, after start: [Value]? = nil) {
        self.table = table
        self.session = session
        last = start
    }

    /// Empty once there are no more.
    mutating func next() throws -> [(row: Row, values: [Value])] {
        let order = table.order.joined(separator: ", ")
        let places = (1...table.key.count).map { "$\($0)" }.joined(separator: ", ")
        // A comparison of rows, also where the key is one column.
        let condition =
            last == nil ? "" : table.key.count == 1 ? "WHERE \(order) > $1" : "WHERE (\(order)) > (\(places))"
        let rows = try session.answer(
            to: session.dialect.written(
                "SELECT \(table.columnList) FROM \(table.name) \(condition) ORDER BY \(order) LIMIT \(Self.rowsPerPage)"
            ),
            last ?? []
        ).rows
        let page = try rows.map { row in (row, try table.values(of: row)) }
        if let values = page.last?.1 { last = table.key.map { values[$0] } }
        return page
    }

    /// The key of the last row of a table; nil where it has none.
    static func lastKey(of table: JournalTable, in session: any TableSession) throws -> [Value]? {
        let order = table.order.map { $0 + " DESC" }.joined(separator: ", ")
        let sql = "SELECT \(table.columnList) FROM \(table.name) ORDER BY \(order) LIMIT 1"
        guard let row = try session.answer(to: session.dialect.written(sql)).rows.first else { return nil }
        let values = try table.values(of: row)
        return table.key.map { values[$0] }
    }
}
