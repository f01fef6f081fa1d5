public import FoundationEssentials
public import PaymentRelay

/// The journal of many instances: a PostgreSQL that they share.
///
/// Every write is one statement and one transaction; unique constraints and the state that a payment is moved from decide
/// who is first, so that READ COMMITTED is enough, and a database that undoes one of two colliding transactions
/// (SQLSTATE 40001) is as good. What returned is on the server's disk: `synchronous_commit` is never off.
public final class PostgresJournal: Journal {
    private let pool: PostgresPool
    let onUnreadable: UnreadableRecordObserver
    /// How often a statement is run again that gave way to another.
    private static let attempts = 8

    /// Opens the journal, making or changing its tables where they are missing or old.
    ///
    /// - Parameters:
    ///   - url: as libpq reads it, `sslmode`, `sslrootcert` and several hosts included.
    ///   - onUnreadable: told of each record that is set aside, each time it is met.
    /// - Throws: ``PostgresError``.
    public init(
        url: String, settings: PostgresSettings = PostgresSettings(),
        onUnreadable: @escaping UnreadableRecordObserver = { _ in }
    ) async throws(PostgresError) {
        self.onUnreadable = onUnreadable
        let url = try PostgresURL(url)
        pool = PostgresPool(url: url, settings: settings)
        let connection = PostgresConnection(url: url, settings: settings)
        try await Self.again(while: \.metAnotherMigration) { () throws(PostgresError) in
            try await connection.migrate()
        }
    }

    public func claim(_ claim: Claim) async throws -> ClaimResult {
        FailPoint.committing.reachSoon()
        for _ in 0..<Self.attempts {
            if try await run(.claim, claim.values).count == 1 { return .claimed }
            switch try await obstacle(to: claim) {
            case .final(let result): return result
            case .claimable: if try await reclaim(claim) { return .claimed }
            // It was in the way a moment ago; whoever had it gave it free.
            case .gone: continue
            }
        }
        throw PostgresError.contended
    }

    public func record(_ payment: Payment, because entry: HistoryEntry) async throws -> Bool {
        try await run(
            .record,
            [
                .text(payment.merchantReference), .text(payment.state.rawValue), .text(payment.command.rawValue),
                .integer(payment.amount.value), .text(payment.currency), .moment(payment.claimedAt),
                .boolean(payment.state.isOpen), .text(payment.account), .text(payment.client),
                .integer(payment.balance.captured.value), .integer(payment.balance.refunded.value),
                .bytes(payment.receipt), .integer(payment.lease.number), .moment(payment.lease.expiresAt),
                .bytes(entry.event), .moment(entry.at), .words(entry.reason), .text(entry.requestIdentifier),
            ]
        ).count == 1
    }

    public func replaceEvent(_ number: Int, of merchantReference: String, with event: [UInt8]) async throws {
        _ = try await run(.replaceEvent, [.text(merchantReference), .integer(number), .bytes(event)])
    }

    public func move(_ payment: Payment, receipt: [UInt8]?, because entry: HistoryEntry) async throws -> Bool {
        FailPoint.committing.reachSoon()
        return try await run(
            .move,
            [
                .text(payment.merchantReference), .text(payment.state.rawValue), .text(entry.state.rawValue),
                .bytes(receipt),
                .moment(entry.at), .words(entry.reason), .text(entry.requestIdentifier),
                .integer(entry.balance.captured.value), .integer(entry.balance.refunded.value),
                .boolean(entry.state.isOpen),
                .moment(payment.claimedAt), .bytes(entry.event),
            ]
        ).count == 1
    }

    public func replace(_ old: Payment, with new: Payment, because entry: HistoryEntry) async throws -> Bool {
        try await run(
            .replace,
            [
                .text(old.merchantReference), .integer(old.version), .integer(old.lease.number),
                .text(new.state.rawValue), .integer(new.balance.captured.value), .integer(new.balance.refunded.value),
                .bytes(new.receipt), .bytes(PaymentOperation.encoded(new.operations)), .integer(new.lease.number),
                .moment(new.lease.expiresAt), .boolean(new.isOpen), .moment(entry.at), .words(entry.reason),
                .text(entry.requestIdentifier), .boolean(new.holdsCustomerData), .bytes(entry.event),
            ]
        ).count == 1
    }

    public func payment(_ merchantReference: String) async throws -> Payment? {
        try await observing(onUnreadable) {
            try await run(.payment, [.text(merchantReference)]).rows.first.map(Payment.init(row:))
        }
    }

    public func history(of merchantReference: String) async throws -> [HistoryEntry] {
        try await observing(onUnreadable) {
            try await run(.history, [.text(merchantReference)]).rows.map { row in
                try HistoryEntry(row: row, of: merchantReference)
            }
        }
    }

    public func lease(limit: Int, at moment: Date, until expiry: Date) async throws -> [Payment] {
        try await run(.lease, [.moment(moment), .moment(expiry), .integer(limit)]).rows.map(Payment.read)
            .readable(onUnreadable)
    }

    public func release(_ merchantReference: String, lease: Lease, at moment: Date) async throws {
        _ = try await run(
            .release,
            [.text(merchantReference), .integer(lease.number), .moment(lease.expiresAt), .moment(moment)])
    }

    public func openPayments(limit: Int) async throws -> [Payment] {
        try await run(.openPayments, [.integer(limit)]).rows.map(Payment.read).readable(onUnreadable)
    }

    public func openSummary(overdueBefore moment: Date) async throws -> OpenSummary {
        guard let row = try await run(.openSummary, [.moment(moment)]).rows.first else { return OpenSummary() }
        let oldest = row.bytes("oldest") == nil ? nil : try row.nearestMoment("oldest")
        return OpenSummary(count: try row.integer("open"), oldest: oldest, overdue: try row.integer("overdue"))
    }

    public func paymentsHoldingCustomerData(
        claimedBefore moment: Date, after place: PaymentCursor?, limit: Int
    ) async throws -> [PaymentCursor] {
        let values: [PostgresValue] = [
            .moment(moment), .moment(place?.at ?? Date(timeIntervalSince1970: 0)),
            .text(place?.merchantReference ?? ""),
            .integer(limit),
        ]
        return try await run(.paymentsHoldingCustomerData, values).rows.compactMap(PaymentCursor.init(reading:))
    }

    func run(
        _ statement: PostgresStatement, _ values: [PostgresValue]
    ) async throws(PostgresError) -> PostgresAnswer {
        try await Self.again(while: \.gaveWay) { () throws(PostgresError) in
            do throws(PostgresError) {
                return try await pool.run(statement, values)
            } catch {
                guard case .outcomeUnknown = error, statement.isRepeatable else { throw error }
                // Where the second time fails too, the first may still have written.
                let lost = error
                do { return try await pool.run(statement, values) } catch { throw lost }
            }
        }
    }

    private static func again<Result: Sendable>(
        while condition: (PostgresError) -> Bool, _ body: () async throws(PostgresError) -> Result
    ) async throws(PostgresError) -> Result {
        for attempt in 1..<attempts {
            do {
                return try await body()
            } catch {
                guard condition(error) else { throw error }
                // Who collided once and waits equally long collides again.
                try? await Task.sleep(for: .milliseconds(Int.random(in: 0...(10 << min(attempt, 5)))))
            }
        }
        return try await body()
    }
}
