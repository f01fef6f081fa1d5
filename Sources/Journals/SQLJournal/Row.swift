import FoundationEssentials
public import PaymentRelay

/// A row that a database returned. It is untrusted, because other programs may have written to the database. Each
/// column must have the expected type and is never converted.
public struct Row: Sendable {
    public enum Column: Sendable, Equatable {
        case null
        case integer(Int)
        case text(String)
        case bytes([UInt8])
        /// A value that no column of the journal can have: another type, or text that is not UTF-8.
        case other
    }

    private let names: [String]
    let columns: [Column]

    /// - Parameter names: the names of the columns, in their order.
    public init(names: [String], columns: [Column]) {
        self.names = names
        self.columns = columns
    }

    /// Returns a column; null if there is no such column.
    public subscript(_ name: String) -> Column {
        names.firstIndex(of: name).map { columns[$0] } ?? .null
    }

    /// The payment's reference; empty if it cannot be read.
    public var reference: String {
        if case .text(let text) = self["merchant_reference"] { text } else { "" }
    }

    public func text(_ name: String) throws(UnreadableRecord) -> String { try required(name, optionalText(name)) }
    public func integer(_ name: String) throws(UnreadableRecord) -> Int { try required(name, optionalInteger(name)) }
    public func bytes(_ name: String) throws(UnreadableRecord) -> [UInt8] { try required(name, optionalBytes(name)) }

    public func optionalText(_ name: String) throws(UnreadableRecord) -> String? {
        switch self[name] {
        case .null: nil
        case .text(let text): text
        default: throw unreadable(name)
        }
    }

    public func optionalInteger(_ name: String) throws(UnreadableRecord) -> Int? {
        switch self[name] {
        case .null: nil
        case .integer(let integer): integer
        default: throw unreadable(name)
        }
    }

    public func optionalBytes(_ name: String) throws(UnreadableRecord) -> [UInt8]? {
        switch self[name] {
        case .null: nil
        case .bytes(let bytes): bytes
        default: throw unreadable(name)
        }
    }

    func moment(_ name: String) throws(UnreadableRecord) -> Date {
        try required(name, EpochMilliseconds(milliseconds: integer(name))).date
    }

    /// Returns a time of a summary; see ``EpochMilliseconds/init(clamping:)``.
    func nearestMoment(_ name: String) throws(UnreadableRecord) -> Date? {
        try optionalInteger(name).map { EpochMilliseconds(clamping: $0).date }
    }

    /// Returns a number that the journal has counted, within ``countLimit``.
    func count(_ name: String, from least: Int = 0) throws(UnreadableRecord) -> Int {
        let number = try integer(name)
        guard (least...Self.countLimit).contains(number) else { throw unreadable(name) }
        return number
    }

    /// More than the journal ever counts: with one lease per second, it takes thirty years.
    static let countLimit = 1_000_000_000

    func required<Value>(_ name: String, _ value: Value?) throws(UnreadableRecord) -> Value {
        guard let value else { throw unreadable(name) }
        return value
    }

    func unreadable(_ column: String) -> UnreadableRecord {
        UnreadableRecord(merchantReference: reference, column: column)
    }
}

extension Value {
    /// Returns a time in the journal's unit: milliseconds since 1970.
    static func moment(_ moment: Date?) -> Value {
        .integer(moment.map { EpochMilliseconds($0).milliseconds })
    }

    static func truth(_ truth: Bool) -> Value { .integer(truth ? 1 : 0) }
}
