import CSQLite
import GRDB

/// A statement of a connection, compiled once and run with values by place. GRDB would find it by its text and box its
/// values each time.
///
/// It is used on its connection's queue only, and gone before its connection is.
final class PreparedStatement {
    private let sql: String
    private let connection: OpaquePointer
    private let statement: OpaquePointer
    private let parameters: Int32
    /// For its values.
    private let memory: UnsafeMutableRawBufferPointer

    /// In bytes: a payment's values have room, and a receipt of the usual size.
    private static let memorySize = 4_096

    /// - Throws: `DatabaseError`, as everything here does.
    init(_ sql: String, on database: Database) throws {
        guard let connection = database.sqliteConnection else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the connection is closed", sql: sql)
        }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw Self.error(code, of: connection, in: sql) }
        self.sql = sql
        self.connection = connection
        self.statement = statement
        parameters = sqlite3_bind_parameter_count(statement)
        memory = .allocate(byteCount: Self.memorySize, alignment: 16)
    }

    deinit {
        sqlite3_finalize(statement)
        memory.deallocate()
    }

    /// Runs the statement to its end.
    ///
    /// - Parameter bind: binds a value to each parameter, in their order. A parameter that is left out would have the value
    ///   of the run before, so that the statement does not run then.
    /// - Returns: how many rows were inserted or updated.
    @discardableResult
    func run(_ bind: (inout StatementValues) -> Void) throws -> Int {
        try bindAll(bind)
        let code = sqlite3_step(statement)
        guard code == SQLITE_DONE else { throw resetAfter(code) }
        let changes = sqlite3_changes(connection)
        try reset()
        return Int(changes)
    }

    /// Runs the statement and reads each row where it lies.
    ///
    /// - Parameters:
    ///   - bind: as above.
    ///   - read: must not run this statement.
    func forEachRow(_ bind: (inout StatementValues) -> Void, _ read: (StatementRow) -> Void) throws {
        try bindAll(bind)
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return try reset() }
            guard code == SQLITE_ROW else { throw resetAfter(code) }
            read(StatementRow(of: statement))
        }
    }

    private func bindAll(_ bind: (inout StatementValues) -> Void) throws {
        var values = StatementValues(of: statement, in: memory)
        bind(&values)
        guard values.code == SQLITE_OK, values.count == parameters else {
            let code = values.code == SQLITE_OK ? SQLITE_RANGE : values.code
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: values.problem, sql: sql)
        }
    }

    private func reset() throws {
        let code = sqlite3_reset(statement)
        guard code == SQLITE_OK else { throw Self.error(code, of: connection, in: sql) }
    }

    private func resetAfter(_ code: Int32) -> DatabaseError {
        // SQLite has the message until the next call.
        let error = Self.error(code, of: connection, in: sql)
        sqlite3_reset(statement)
        return error
    }

    private static func error(_ code: Int32, of connection: OpaquePointer, in sql: String) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(connection)), sql: sql)
    }
}

/// A row that a statement stands on, by place. What is of another kind than was asked for is nil, as NULL is: SQLite would convert it.
struct StatementRow {
    private let statement: OpaquePointer

    fileprivate init(of statement: OpaquePointer) {
        self.statement = statement
    }

    func integer(at place: Int32) -> Int? {
        sqlite3_column_type(statement, place) == SQLITE_INTEGER ? Int(sqlite3_column_int64(statement, place)) : nil
    }

    func text(at place: Int32) -> String? {
        guard sqlite3_column_type(statement, place) == SQLITE_TEXT, let start = sqlite3_column_text(statement, place)
        else { return nil }
        let count = Int(sqlite3_column_bytes(statement, place))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    func bytes(at place: Int32) -> [UInt8]? {
        guard sqlite3_column_type(statement, place) == SQLITE_BLOB else { return nil }
        // An empty one has no address.
        let start = sqlite3_column_blob(statement, place)
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, place))))
    }
}
