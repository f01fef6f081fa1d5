public import FoundationEssentials
import PaymentRelay

/// How large a journal is, how fast it grows, and what of it retention has erased.
public struct JournalSize: Sendable, Equatable {
    public struct Table: Sendable, Equatable {
        public let name: String
        public let rows: Int
        /// In bytes, its indexes included; nil where the database does not say.
        public let bytes: Int?
    }

    public let tables: [Table]
    /// When the oldest payment was claimed, and the newest; nil where there is none.
    public let oldest: Date?
    public let newest: Date?
    /// How many payments were claimed since `recentStart`.
    public let recent: Int
    /// The last seven days, or since the oldest payment, but a day at the least.
    public let recentStart: Date
    /// Payments whose receipts and events were erased of the customer's data, by retention or by hand.
    public let erased: Int
    /// When the oldest payment that still holds the customer's data was claimed.
    public let oldestWithCustomerData: Date?

    /// Payments of which the archive has all but what refuses them for ever.
    public let archived: Int
    /// Bytes of the file that hold nothing, and that later rows take; zero where the database is a server.
    public let freeBytes: Int

    public var payments: Int { tables.first { $0.name == "payment" }?.rows ?? 0 }
    /// Of all tables; nil where the database does not say.
    public var bytes: Int? {
        tables.allSatisfy { $0.bytes != nil } ? tables.reduce(0) { $0 + ($1.bytes ?? 0) } : nil
    }

    private static let day: TimeInterval = 86_400

    /// - Parameters:
    ///   - session: in a transaction that sees one state of the database.
    ///   - moment: now.
    public init(of session: any TableSession, at moment: Date) throws {
        var sizes: [String: Int] = [:]
        // A SQLite without the virtual table for it has no sizes.
        for row in (try? session.answer(to: session.dialect.tableSizes).rows) ?? [] {
            sizes[try row.text("name")] = try row.integer("bytes")
        }
        let known = sizes
        tables = try Schema.tables.map { table in
            Table(
                name: table.name, rows: try session.number("SELECT count(*) FROM \(table.name)") ?? 0,
                bytes: known[table.name])
        }
        func date(_ sql: String) throws -> Date? {
            try session.number(sql).map { EpochMilliseconds(clamping: $0).date }
        }
        oldest = try date("SELECT min(claimed_at) FROM payment")
        newest = try date("SELECT max(claimed_at) FROM payment")
        let youngest = moment.addingTimeInterval(-Self.day)
        recentStart = max(min(oldest ?? youngest, youngest), moment.addingTimeInterval(-7 * Self.day))
        recent =
            try session.number(
                "SELECT count(*) FROM payment WHERE claimed_at >= $1 AND claimed_at <= $2",
                [.moment(recentStart), .moment(moment)]) ?? 0
        erased = try session.number("SELECT count(*) FROM payment WHERE holds_customer_data <> 1") ?? 0
        archived = try session.number("SELECT count(*) FROM payment WHERE archived IS NOT NULL") ?? 0
        freeBytes = try session.dialect.freeBytes.flatMap { try session.number($0) } ?? 0
        oldestWithCustomerData = try date("SELECT min(claimed_at) FROM payment WHERE holds_customer_data = 1")
    }

    /// Payments a day in that time.
    ///
    /// - Parameter moment: that of ``init(of:at:)``.
    public func paymentsADay(at moment: Date) -> Double {
        Double(recent) / max(1, moment.timeIntervalSince(recentStart) / Self.day)
    }
}
