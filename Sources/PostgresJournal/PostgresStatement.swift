/// A statement that is prepared once on each connection. Its parameters and its rows are in the binary format.
struct PostgresStatement: Sendable {
    let name: String
    let sql: String
    /// Whether to run it twice does no more than to run it once, so that it may be run again when it is not known
    /// whether it was carried out.
    let isRepeatable: Bool
    /// Whether it is run in a transaction that is rolled back.
    let isRolledBack: Bool

    init(_ name: String, isRepeatable: Bool = false, isRolledBack: Bool = false, _ sql: String) {
        self.name = name
        self.isRepeatable = isRepeatable
        self.isRolledBack = isRolledBack
        self.sql = sql
    }
}

/// A parameter of a statement, in PostgreSQL's binary format.
enum PostgresValue: Sendable {
    /// `text`: UTF-8.
    case text(String?)
    /// `bytea`.
    case bytes([UInt8]?)
    /// `bigint`: big-endian.
    case integer(Int?)
    /// `boolean`: one byte.
    case boolean(Bool)

    /// nil is NULL.
    var encoded: [UInt8]? {
        switch self {
        case .text(let text): text.map { Array($0.utf8) }
        case .bytes(let bytes): bytes
        case .integer(let integer): integer.map { withUnsafeBytes(of: Int64($0).bigEndian) { Array($0) } }
        case .boolean(let truth): [truth ? 1 : 0]
        }
    }
}

/// libpq takes arrays of pointers. Everything they point to lies in one buffer, which lives as long as the call.
typealias CPointer = UnsafePointer<CChar>

extension KeyValuePairs where Key == String, Value == String {
    /// Calls libpq with the keys and the values as two arrays that end in NULL.
    func withCStrings<Result>(_ body: ([CPointer?], [CPointer?]) -> Result) -> Result {
        let texts = map(\.key) + map(\.value)
        return withPointers(to: texts.map { $0.utf8CString.map { UInt8(bitPattern: $0) } }) { pointers in
            body(Array(pointers[..<count]) + [nil], Array(pointers[count...]) + [nil])
        }
    }
}

extension [PostgresValue] {
    /// Calls libpq with the values, their lengths in bytes, and their formats, all binary.
    func withEncoded<Result>(_ body: ([CPointer?], [Int32], [Int32]) -> Result) -> Result {
        let encoded = map(\.encoded)
        let lengths = encoded.map { Int32($0?.count ?? 0) }
        return withPointers(to: encoded) { body($0, lengths, Array<Int32>(repeating: 1, count: count)) }
    }
}

private func withPointers<Result>(to pieces: [[UInt8]?], _ body: ([CPointer?]) -> Result) -> Result {
    var buffer: [CChar] = []
    var starts: [Int?] = []
    for piece in pieces {
        starts.append(piece.map { _ in buffer.count })
        buffer += (piece ?? []).map { CChar(bitPattern: $0) }
    }
    // A pointer just past the end is valid, and so an empty piece at the end needs no byte of its own; but a buffer
    // without any byte need not have an address at all.
    buffer.append(0)
    return buffer.withUnsafeBufferPointer { memory in
        body(starts.map { start in start.flatMap { start in memory.baseAddress.map { $0 + start } } })
    }
}
