import PayrelayPrimitives

/// A session that reads and writes whole tables. It is used by one thread at a time, and blocks that thread.
public protocol TableSession: ScriptSession {
    var dialect: Dialect { get }

    /// Runs one statement, in its own transaction if none is open. The statement stays prepared.
    func answer(to sql: String, _ values: [Value]) throws -> Answer
}

extension TableSession {
    /// Returns the damage that the database finds in its file; empty if it finds none, or if the database is a
    /// server.
    public func damage() throws -> [String] {
        guard let check = dialect.integrityCheck else { return [] }
        return try run(script: check).map { row in
            if case .text(let text)? = row.columns.first { text } else { "?" }
        }.filter { $0 != "ok" }
    }

    /// Returns the digest (``JournalContents/digest``) that a backup recorded when it was made; `nil` if the
    /// journal is not a backup.
    public func recordedDigest() throws -> [UInt8]? {
        guard try hasTable(Schema.backupDigest) else { return nil }
        return try answer(to: "SELECT digest FROM \(Schema.backupDigest)").rows.first?.bytes("digest")
    }

    func hasTable(_ name: String) throws -> Bool {
        try run(script: dialect.tableNames).contains { $0["name"] == .text(name) }
    }

    func answer(to sql: String) throws -> Answer { try answer(to: sql, []) }

    /// Returns the number in the first column of the first row.
    func number(_ sql: String, _ values: [Value] = []) throws -> Int? {
        guard case .integer(let number)? = try answer(to: dialect.written(sql), values).rows.first?.columns.first else {
            return nil
        }
        return number
    }
}

/// The error for a row with a value that its table cannot have, or that cannot be written to another database.
public struct UnreadableRow: Error, Sendable, Equatable, CustomStringConvertible {
    public let table: String
    /// The row's key (``JournalTable/keyText(of:)``).
    public let key: String
    public let column: String

    public var description: String { "\(table) \(key): \(column) holds a value that no version of payrelay writes" }
}

extension JournalTable {
    /// Returns a row's values, each with its column's type.
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

    /// Returns the values of a row's primary key, separated by spaces and with texts in quotation marks, so that a
    /// person finds the row.
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
    /// Reads a value; `nil` if it has another type than the column, or is a text with NUL. PostgreSQL does not
    /// store NUL, and SQLite compares only the part before it.
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

/// Reads the rows of a table in the order of its primary key, a page at a time.
struct TableReader {
    /// How many rows a page has. A page is also written in one statement: with 31 columns, it stays within the
    /// maximum number of values of SQLite (32,766) and PostgreSQL (65,535).
    static let rowsPerPage = 500

    let table: JournalTable
    let session: any TableSession
    /// The key of the last row that was read.
    private var last: [Value]?

    /// - Parameter start: a key; rows up to this key are left out.
    init(_ table: JournalTable, of session: any TableSession, after start: [Value]? = nil) {
        self.table = table
        self.session = session
        last = start
    }

    /// Returns the next page; empty if there are no more rows.
    mutating func next() throws -> [(row: Row, values: [Value])] {
        let order = table.order.joined(separator: ", ")
        let places = (1...table.key.count).map { "$\($0)" }.joined(separator: ", ")
        // A row comparison in both forms. A key with one column needs no parentheses.
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

    /// Returns the key of the last row of a table; `nil` if the table is empty.
    static func lastKey(of table: JournalTable, in session: any TableSession) throws -> [Value]? {
        let order = table.order.map { $0 + " DESC" }.joined(separator: ", ")
        let sql = "SELECT \(table.columnList) FROM \(table.name) ORDER BY \(order) LIMIT 1"
        guard let row = try session.answer(to: session.dialect.written(sql)).rows.first else { return nil }
        let values = try table.values(of: row)
        return table.key.map { values[$0] }
    }
}
