public import FoundationEssentials
import PaymentRelay

/// The size of a journal, its growth, and how much of it retention has erased.
public struct JournalSize: Sendable, Equatable {
    public struct Table: Sendable, Equatable {
        public let name: String
        public let rows: Int
        /// The size in bytes, with the indexes; `nil` if the database does not report it.
        public let bytes: Int?
    }

    public let tables: [Table]
    /// When the oldest and the newest payment were claimed; `nil` if there is none.
    public let oldest: Date?
    public let newest: Date?
    /// The number of payments claimed since `recentStart`.
    public let recent: Int
    /// Seven days ago, or the time of the oldest payment's claim if it is later, but at least one day ago.
    public let recentStart: Date
    /// The number of payments whose customer data was erased from receipts and events, by retention or by hand.
    public let erased: Int
    /// When the oldest payment that still holds the customer's data was claimed.
    public let oldestWithCustomerData: Date?

    /// The number of archived payments, of which the journal only has the row that keeps their reference from being
    /// used again.
    public let archived: Int
    /// The number of unused bytes in the file, which later rows will use; zero if the database is a server.
    public let freeBytes: Int

    public var payments: Int { tables.first { $0.name == "payment" }?.rows ?? 0 }
    /// The size of all tables in bytes; `nil` if the database does not report it.
    public var bytes: Int? {
        tables.allSatisfy { $0.bytes != nil } ? tables.reduce(0) { $0 + ($1.bytes ?? 0) } : nil
    }

    private static let day: TimeInterval = 86_400

    /// - Parameters:
    ///   - session: a session in a transaction that sees one state of the database.
    ///   - moment: now.
    public init(of session: any TableSession, at moment: Date) throws {
        var sizes: [String: Int] = [:]
        // A SQLite without the virtual table `dbstat` reports no sizes.
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

    /// Returns the average number of payments per day since `recentStart`.
    ///
    /// - Parameter moment: the same moment as in ``init(of:at:)``.
    public func paymentsADay(at moment: Date) -> Double {
        Double(recent) / max(1, moment.timeIntervalSince(recentStart) / Self.day)
    }
}
