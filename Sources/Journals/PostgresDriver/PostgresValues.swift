import CPostgres
import SQLJournal

extension Value {
    var type: Oid {
        switch self {
        case .text: PostgresType.text
        case .bytes: PostgresType.bytea
        case .integer: PostgresType.bigint
        }
    }

    /// Appends the value's bytes, in PostgreSQL's binary format.
    ///
    /// - Returns: `false` for NULL, which has no bytes.
    fileprivate func encode(into buffer: inout [UInt8]) -> Bool {
        switch self {
        case .text(let text?): buffer += text.utf8
        case .bytes(let bytes?): buffer += bytes
        case .integer(let integer?): withUnsafeBytes(of: Int64(integer).bigEndian) { buffer += $0 }
        case .text(nil), .bytes(nil), .integer(nil): return false
        }
        return true
    }
}

typealias CPointer = UnsafePointer<CChar>

/// Values one after the other in one buffer, which lives as long as the call of libpq. libpq takes arrays of
/// pointers.
private struct PackedValues {
    private(set) var lengths: [Int32] = []
    private var bytes: [UInt8] = []
    /// The start of each value; `nil` for NULL.
    private var starts: [Int?] = []

    init(_ count: Int) {
        lengths.reserveCapacity(count)
        starts.reserveCapacity(count)
        // Enough for a payment and a receipt of the usual size.
        bytes.reserveCapacity(2_048)
        // A buffer without any byte may have no address, and a value without an address is NULL.
        bytes.append(0)
    }

    /// - Parameter encode: appends a value's bytes; returns `false` for NULL.
    mutating func append(_ encode: (inout [UInt8]) -> Bool) {
        let start = bytes.count
        starts.append(encode(&bytes) ? start : nil)
        lengths.append(Int32(bytes.count - start))
    }

    func withPointers<Result>(_ body: ([CPointer?]) -> Result) -> Result {
        // A pointer just past the end is valid, for an empty last value.
        bytes.withUnsafeBytes { memory in
            let first = memory.baseAddress?.assumingMemoryBound(to: CChar.self)
            return body(starts.map { start in start.flatMap { start in first.map { $0 + start } } })
        }
    }
}

extension [PostgresURL.Parameter] {
    /// Calls libpq with the names and the values as two arrays that end in NULL.
    func withCStrings<Result>(_ body: ([CPointer?], [CPointer?]) -> Result) -> Result {
        var packed = PackedValues(2 * count)
        for text in map(\.name) + map(\.value) {
            packed.append { buffer in
                buffer += text.utf8
                buffer.append(0)
                return true
            }
        }
        return packed.withPointers { pointers in
            body([CPointer?](pointers[..<count]) + [nil], [CPointer?](pointers[count...]) + [nil])
        }
    }
}

extension [Value] {
    /// Calls libpq with the values, their lengths in bytes, and their formats, all binary.
    func withEncoded<Result>(_ body: ([CPointer?], [Int32], [Int32]) -> Result) -> Result {
        var packed = PackedValues(count)
        for value in self { packed.append { value.encode(into: &$0) } }
        return packed.withPointers { body($0, packed.lengths, Array<Int32>(repeating: 1, count: count)) }
    }
}
