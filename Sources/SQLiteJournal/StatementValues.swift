import CSQLite
import FoundationEssentials
import Glibc
import PaymentRelay

/// Binds values to a statement's parameters, in their order.
///
/// The first value that cannot be bound ends it: no later one is bound, and the statement is not run.
struct StatementValues {
    private let statement: OpaquePointer
    /// What SQLite reads from while the statement runs.
    private let memory: UnsafeMutableRawBufferPointer
    private var used = 0
    /// How many values were bound.
    private(set) var count: Int32 = 0
    /// SQLite's result code; `SQLITE_OK` where every value was bound.
    private(set) var code = SQLITE_OK
    /// Why a value was not bound, where SQLite's code does not say.
    private(set) var problem: String?

    /// - Parameter memory: lives as long as the statement, and is not empty. What has no room there is copied by SQLite,
    ///   which allocates memory for each value.
    init(of statement: OpaquePointer, in memory: UnsafeMutableRawBufferPointer) {
        self.statement = statement
        self.memory = memory
    }

    mutating func bind(_ integer: Int) {
        bind { sqlite3_bind_int64($0, $1, Int64(integer)) }
    }

    mutating func bind(_ truth: Bool) {
        bind(truth ? 1 : 0)
    }

    mutating func bind(_ moment: Date) {
        bind(EpochMilliseconds(moment).milliseconds)
    }

    /// Refuses text with the character NUL. SQLite's functions, and others that read the file, take it for its part before
    /// that, so that one reference would be another.
    mutating func bind(_ text: String?) {
        guard var text else { return bind(sqlite3_bind_null) }
        text.withUTF8 { text in
            let hasNUL = text.baseAddress.map { memchr($0, 0, text.count) != nil } ?? false
            guard !hasNUL else { return refuse("text with the character NUL") }
            bind(UnsafeRawBufferPointer(text)) {
                sqlite3_bind_text64($0, $1, $2.assumingMemoryBound(to: CChar.self), $3, $4, UInt8(SQLITE_UTF8))
            }
        }
    }

    mutating func bind(_ digest: TokenDigest?) {
        guard let digest else { return bind(sqlite3_bind_null) }
        digest.withUnsafeBytes { bind($0, sqlite3_bind_blob64) }
    }

    mutating func bind(_ bytes: [UInt8]?) {
        guard let bytes else { return bind(sqlite3_bind_null) }
        bytes.withUnsafeBytes { bind($0, sqlite3_bind_blob64) }
    }

    private typealias BindBytes = (
        OpaquePointer, Int32, UnsafeRawPointer, UInt64, sqlite3_destructor_type?
    ) -> Int32

    private mutating func bind(_ bytes: UnsafeRawBufferPointer, _ body: BindBytes) {
        // Never nil, as the memory is not empty: SQLite takes what has no address for NULL.
        guard let free = memory.baseAddress.map({ UnsafeMutableRawPointer($0) + used }) else { return }
        let length = UInt64(bytes.count)
        if let start = bytes.baseAddress, bytes.count > memory.count - used {
            return bind { body($0, $1, start, length, payrelay_sqlite_transient()) }
        }
        UnsafeMutableRawBufferPointer(start: free, count: bytes.count).copyMemory(from: bytes)
        used += bytes.count
        bind { body($0, $1, UnsafeRawPointer(free), length, nil) }
    }

    private mutating func bind(_ body: (_ statement: OpaquePointer, _ place: Int32) -> Int32) {
        guard code == SQLITE_OK else { return }
        count += 1
        code = body(statement, count)
    }

    private mutating func refuse(_ reason: String) {
        guard code == SQLITE_OK else { return }
        code = SQLITE_MISMATCH
        problem = reason
    }
}
