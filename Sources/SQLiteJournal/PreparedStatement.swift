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
        var values = StatementValues(of: statement, in: memory)
        bind(&values)
        guard values.code == SQLITE_OK, values.count == parameters else {
            let code = values.code == SQLITE_OK ? SQLITE_RANGE : values.code
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: values.problem, sql: sql)
        }
        let code = sqlite3_step(statement)
        guard code == SQLITE_DONE else {
            // SQLite has the message until the next call.
            let error = Self.error(code, of: connection, in: sql)
            sqlite3_reset(statement)
            throw error
        }
        let changes = sqlite3_changes(connection)
        let reset = sqlite3_reset(statement)
        guard reset == SQLITE_OK else { throw Self.error(reset, of: connection, in: sql) }
        return Int(changes)
    }

    private static func error(_ code: Int32, of connection: OpaquePointer, in sql: String) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(connection)), sql: sql)
    }
}
