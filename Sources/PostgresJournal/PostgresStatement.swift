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

    /// Text for people. PostgreSQL's `text` cannot hold the character NUL, and a server's message with one in it must not
    /// keep an outcome from being recorded.
    static func words(_ text: String?) -> PostgresValue {
        .text(text.map { String(String.UnicodeScalarView($0.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 })) })
    }
}
