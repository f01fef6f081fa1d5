/// A statement that is prepared once on each connection. Its parameters and its rows are in the binary format.
struct PostgresStatement: Sendable {
    let name: String
    let sql: String
    /// Whether to run it twice does no more than to run it once, so that it may be run again when it is not known
    /// whether it was carried out.
    let isRepeatable: Bool
    /// Whether it is run in a transaction that is rolled back.
    let isRolledBack: Bool
    /// Whether it may share a transaction with others: it locks the rows of one payment alone, and each payment takes it. Its
    /// first parameter is the payment's reference.
    let sharesCommits: Bool

    init(
        _ name: String, isRepeatable: Bool = false, isRolledBack: Bool = false, sharesCommits: Bool = false,
        _ sql: String
    ) {
        self.name = name
        self.isRepeatable = isRepeatable
        self.isRolledBack = isRolledBack
        self.sharesCommits = sharesCommits
        self.sql = sql
    }
}

extension PostgresStatement {
    /// Has the server refuse what waits longer than 100 ms for another transaction (SQLSTATE 55P03), until this one ends.
    /// Tokens are not locked in any order: two transactions with the same two would wait for each other until the server notices,
    /// after a second, and with them all that share their commits. Who sends tokens twice could cause it again and again.
    static let waitBriefly = PostgresStatement("wait_briefly", "SELECT set_config('lock_timeout', '100', true)")
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

    /// Adds its bytes.
    ///
    /// - Returns: false for NULL, which has none.
    func encode(into buffer: inout [UInt8]) -> Bool {
        switch self {
        case .text(let text?): buffer += text.utf8
        case .bytes(let bytes?): buffer += bytes
        case .integer(let integer?): withUnsafeBytes(of: Int64(integer).bigEndian) { buffer += $0 }
        case .boolean(let truth): buffer.append(truth ? 1 : 0)
        case .text(nil), .bytes(nil), .integer(nil): return false
        }
        return true
    }
}

typealias CPointer = UnsafePointer<CChar>

/// Values one after the other in one buffer, which lives as long as the call of libpq: it takes arrays of pointers.
private struct PackedValues {
    private(set) var lengths: [Int32] = []
    private var bytes: [UInt8] = []
    /// Nil for NULL.
    private var starts: [Int?] = []

    init(_ count: Int) {
        lengths.reserveCapacity(count)
        starts.reserveCapacity(count)
        // Of a payment and a receipt of the usual size.
        bytes.reserveCapacity(2_048)
        // A buffer without any byte need not have an address, and a value without one is NULL.
        bytes.append(0)
    }

    /// - Parameter encode: adds a value's bytes; false for NULL.
    mutating func append(_ encode: (inout [UInt8]) -> Bool) {
        let start = bytes.count
        starts.append(encode(&bytes) ? start : nil)
        lengths.append(Int32(bytes.count - start))
    }

    func withPointers<Result>(_ body: ([CPointer?]) -> Result) -> Result {
        // A pointer just past the end is valid, for an empty value at the end.
        bytes.withUnsafeBytes { memory in
            let first = memory.baseAddress?.assumingMemoryBound(to: CChar.self)
            return body(starts.map { start in start.flatMap { start in first.map { $0 + start } } })
        }
    }
}

extension KeyValuePairs where Key == String, Value == String {
    /// Calls libpq with the keys and the values as two arrays that end in NULL.
    func withCStrings<Result>(_ body: ([CPointer?], [CPointer?]) -> Result) -> Result {
        var packed = PackedValues(2 * count)
        for text in map(\.key) + map(\.value) {
            packed.append { buffer in
                buffer += text.utf8
                buffer.append(0)
                return true
            }
        }
        return packed.withPointers { body(Array($0[..<count]) + [nil], Array($0[count...]) + [nil]) }
    }
}

extension [PostgresValue] {
    /// Calls libpq with the values, their lengths in bytes, and their formats, all binary.
    func withEncoded<Result>(_ body: ([CPointer?], [Int32], [Int32]) -> Result) -> Result {
        var packed = PackedValues(count)
        for value in self { packed.append { value.encode(into: &$0) } }
        return packed.withPointers { body($0, packed.lengths, Array<Int32>(repeating: 1, count: count)) }
    }
}
