import CSQLite
import PayrelayPrimitives
package import SQLJournal

/// A connection to a SQLite database, closed with its last reference. It is used by one thread at a time.
package final class SQLiteConnection {
    /// An object that must outlive the connection: the journal's locked file, for example.
    private let keeping: AnyObject?
    let handle: OpaquePointer
    private var kept: [String: SQLiteStatement] = [:]

    /// Turns off SQLite's memory statistics, which nothing reads and for which each allocation would lock a mutex.
    /// It has an effect only if it comes before any other call of SQLite.
    static let countsNoMemory: Void = payrelay_sqlite_count_no_memory()

    /// How long a statement waits for another connection's lock, in milliseconds.
    package static let busyTimeout = 5_000

    /// - Parameters:
    ///   - path: the path of the file; `:memory:`, or empty for a temporary file without a name.
    ///   - isMade: whether to create the file if it is missing.
    ///   - isReadOnly: whether to open the file only for reading, and to create nothing.
    ///   - vfs: the name of the file system; `nil` for SQLite's own.
    package init(
        path: String, isMade: Bool = true, isReadOnly: Bool = false, vfs: String? = nil, keeping: AnyObject? = nil
    ) throws(SQLiteError) {
        _ = Self.countsNoMemory
        var handle: OpaquePointer?
        // Each connection is used by one thread at a time, so SQLite need not lock it.
        let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | (isMade ? SQLITE_OPEN_CREATE : 0)
        let flags = access | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &handle, flags, vfs)
        guard code == SQLITE_OK, let handle else {
            let error = SQLiteError(code, of: handle)
            sqlite3_close_v2(handle)
            throw error
        }
        self.handle = handle
        self.keeping = keeping
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, Int32(Self.busyTimeout))
    }

    deinit {
        // SQLite closes the connection once its remaining statements are finalized.
        sqlite3_close_v2(handle)
    }

    /// Runs statements without values, and returns the rows of the last one.
    @discardableResult
    package func run(script: String) throws(SQLiteError) -> [Row] {
        var rows: [Row] = []
        var rest = Array(script.utf8)
        while rest.contains(where: { $0 > 0x20 }) {
            let (statement, length) = try SQLiteStatement.first(of: rest, on: handle)
            rest.removeFirst(length)
            if let statement { rows = try statement.run([]).rows }
        }
        return rows
    }

    /// Runs one statement.
    @discardableResult
    package func run(_ sql: String, _ values: [Value]) throws(SQLiteError) -> Answer {
        try prepare(sql).run(values)
    }

    /// Returns a statement that stays prepared.
    package func keep(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        if let known = kept[sql] { return known }
        let statement = try prepare(sql)
        kept[sql] = statement
        return statement
    }

    package func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        guard let statement = try SQLiteStatement.first(of: Array(sql.utf8), on: handle).statement else {
            throw SQLiteError(code: SQLITE_MISUSE, message: "there is no statement")
        }
        return statement
    }

    /// Moves the write-ahead log into the database.
    ///
    /// - Parameter mode: SQLite's mode: `SQLITE_CHECKPOINT_PASSIVE` does not wait for readers or writers.
    /// - Returns: the number of frames in the log.
    func checkpoint(_ mode: Int32) throws(SQLiteError) -> Int {
        var frames: Int32 = 0
        let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, &frames, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code, of: handle) }
        return Int(frames)
    }

    /// Runs a function with another time limit for waiting for locks.
    ///
    /// - Parameter milliseconds: the time limit.
    func waiting<Result>(_ milliseconds: Int, _ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
        sqlite3_busy_timeout(handle, Int32(milliseconds))
        defer { sqlite3_busy_timeout(handle, Int32(Self.busyTimeout)) }
        return try body()
    }
}

/// Why SQLite did not carry out a call. The message never contains a value.
package struct SQLiteError: Error, Equatable, CustomStringConvertible {
    /// The extended result code.
    let code: Int32
    package let message: String

    package var description: String { "SQLite error \(code): \(message)" }
}

extension SQLiteError {
    init(_ code: Int32, of handle: OpaquePointer?) {
        self.init(code: code, message: handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory")
    }

    var isBusy: Bool { code & 0xFF == SQLITE_BUSY }

    /// Whether a unique constraint refused the statement and undid only this statement.
    var isNotUnique: Bool { code == SQLITE_CONSTRAINT | 8 << 8 || code == SQLITE_CONSTRAINT | 6 << 8 }
}

/// A statement of a connection, compiled once and run with numbered values: `$1` is the first one.
package final class SQLiteStatement {
    private let handle: OpaquePointer
    private let statement: OpaquePointer
    /// For each of SQLite's parameters, in SQLite's order, the place of its value, counted from 0.
    private let parameters: [Int]
    private let names: [String]

    /// Compiles the first statement of a text.
    ///
    /// - Returns: the statement, or `nil` if there are only comments; and its length in bytes.
    static func first(
        of sql: [UInt8], on handle: OpaquePointer
    ) throws(SQLiteError) -> (statement: SQLiteStatement?, length: Int) {
        var (statement, length, code) = (OpaquePointer?.none, 0, SQLITE_OK)
        sql.withUnsafeBytes { bytes in
            let start = bytes.assumingMemoryBound(to: CChar.self).baseAddress
            var tail: UnsafePointer<CChar>?
            code = sqlite3_prepare_v3(
                handle, start, Int32(bytes.count), UInt32(SQLITE_PREPARE_PERSISTENT), &statement, &tail)
            if let start, let tail { length = tail - start }
        }
        guard code == SQLITE_OK else { throw SQLiteError(code, of: handle) }
        guard let statement else { return (nil, length) }
        return (try SQLiteStatement(statement, on: handle), length)
    }

    private init(_ statement: OpaquePointer, on handle: OpaquePointer) throws(SQLiteError) {
        self.statement = statement
        self.handle = handle
        var parameters: [Int] = []
        for place in 0..<sqlite3_bind_parameter_count(statement) {
            let name = sqlite3_bind_parameter_name(statement, place + 1).map { String(cString: $0) }
            guard let number = name.flatMap({ Int($0.dropFirst()) }), number > 0 else {
                sqlite3_finalize(statement)
                throw SQLiteError(code: SQLITE_RANGE, message: "a parameter has no number")
            }
            parameters.append(number - 1)
        }
        self.parameters = parameters
        names = (0..<sqlite3_column_count(statement)).map { String(cString: sqlite3_column_name(statement, $0)) }
    }

    deinit {
        sqlite3_finalize(statement)
    }

    /// Runs the statement to its end.
    package func run(_ values: [Value]) throws(SQLiteError) -> Answer {
        guard parameters.allSatisfy(values.indices.contains) else {
            throw SQLiteError(code: SQLITE_RANGE, message: "a value is missing")
        }
        // Texts and bytes are here while the statement runs, so that SQLite need not copy each of them.
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: parameters.reduce(1) { $0 + values[$1].size }, alignment: 1)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
            memory.deallocate()
        }
        var used = 0
        for (place, number) in parameters.enumerated() {
            let code = try bind(values[number], at: Int32(place + 1), in: memory, &used)
            guard code == SQLITE_OK else { throw SQLiteError(code, of: handle) }
        }
        var answer = Answer()
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { break }
            guard code == SQLITE_ROW else { throw SQLiteError(code, of: handle) }
            answer.rows.append(row)
        }
        answer.count = Int(sqlite3_changes(handle))
        return answer
    }

    /// Binds a value to a parameter. A text with NUL is refused, because SQLite's functions, and other programs
    /// that read the file, only use the part before the NUL, so that two references could be confused.
    private func bind(
        _ value: Value, at place: Int32, in memory: UnsafeMutableRawBufferPointer, _ used: inout Int
    ) throws(SQLiteError) -> Int32 {
        switch value {
        case .integer(let integer?): return sqlite3_bind_int64(statement, place, Int64(integer))
        case .text(let text?):
            let text = text.withBytes { memory.copy(UnsafeRawBufferPointer($0), to: &used) }
            guard !text.contains(0) else {
                throw SQLiteError(code: SQLITE_MISMATCH, message: "text with the character NUL")
            }
            return sqlite3_bind_text64(
                statement, place, text.baseAddress, UInt64(text.count), nil, UInt8(SQLITE_UTF8))
        case .bytes(let bytes?):
            let bytes = bytes.withUnsafeBytes { memory.copy($0, to: &used) }
            return sqlite3_bind_blob64(statement, place, bytes.baseAddress, UInt64(bytes.count), nil)
        case .integer(nil), .text(nil), .bytes(nil): return sqlite3_bind_null(statement, place)
        }
    }

    /// The statement's current row.
    private var row: Row {
        Row(
            names: names,
            columns: (0..<Int32(names.count)).map { place in
                let count = { Int(sqlite3_column_bytes(self.statement, place)) }
                switch sqlite3_column_type(statement, place) {
                case SQLITE_NULL: return .null
                case SQLITE_INTEGER: return .integer(Int(sqlite3_column_int64(statement, place)))
                case SQLITE_BLOB:
                    let start = sqlite3_column_blob(statement, place)
                    return .bytes(Array(UnsafeRawBufferPointer(start: start, count: count())))
                case SQLITE_TEXT:
                    let start = sqlite3_column_text(statement, place)
                    let bytes = UnsafeBufferPointer(start: start, count: count())
                    return String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .other
                default: return .other
                }
            })
    }
}

extension Value {
    /// The number of bytes of a text or of bytes.
    fileprivate var size: Int {
        switch self {
        case .text(let text): text?.utf8.count ?? 0
        case .bytes(let bytes): bytes?.count ?? 0
        case .integer: 0
        }
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Copies bytes after those that are used. One byte is always left, so that an empty copy has an address:
    /// SQLite treats a missing address as NULL.
    fileprivate func copy(_ bytes: UnsafeRawBufferPointer, to used: inout Int) -> UnsafeBufferPointer<CChar> {
        let copy = UnsafeMutableRawBufferPointer(rebasing: self[used..<used + bytes.count])
        copy.copyMemory(from: bytes)
        used += bytes.count
        return UnsafeBufferPointer(copy.assumingMemoryBound(to: CChar.self))
    }
}

extension SQLiteConnection: ScriptSession {}
