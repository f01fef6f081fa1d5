import PayrelayPrimitives
public import FoundationEssentials
public import PaymentRelay

/// The journal of many instances: a PostgreSQL that they share.
///
/// Every write is one statement. It has a transaction of its own, or shares one with others that waited for a connection at the
/// same time (``PostgresPool``). Unique constraints and the state that a payment was read in decide which write is first, so that READ
/// COMMITTED is enough, and a database that undoes one of two colliding transactions (SQLSTATE 40001) is as good. What
/// returned is on the server's disk: `synchronous_commit` is never off.
public final class PostgresJournal: Journal {
    let pool: PostgresPool
    let onUnreadable: UnreadableRecordObserver

    /// Opens the journal, making or changing its tables where they are missing or old.
    ///
    /// - Parameters:
    ///   - url: as libpq reads it, `sslmode`, `sslrootcert` and several hosts included.
    ///   - onUnreadable: called with each record that is set aside, each time it is met.
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

    public func record(_ payment: Payment, because entry: HistoryEntry) async throws(JournalError) -> Bool {
        try await run(
            .record,
            [
                .text(payment.merchantReference), .text(payment.state.rawValue), .text(payment.command.rawValue),
                .integer(payment.amount.value), .text(payment.currency), .moment(payment.claimedAt),
                .boolean(payment.state.isOpen), .text(payment.account), .text(payment.client),
                .integer(payment.balance.captured.value), .integer(payment.balance.refunded.value),
                .bytes(payment.receipt), .integer(payment.lease.number), .moment(payment.lease.expiresAt),
                .bytes(entry.event), .moment(entry.at), .text(entry.storedReason), .text(entry.requestIdentifier),
            ] + Movement.made(from: nil, to: payment.state, payment.balance, of: payment.amount).values
                + entry.keyValues + [.text(entry.source?.text)]
        ).count == 1
    }

    public func redactEvent(
        _ number: Int, of merchantReference: String, to event: [UInt8]
    ) async throws(JournalError) {
        _ = try await run(.redactEvent, [.text(merchantReference), .integer(number), .bytes(event)])
    }

    public func transition(
        _ payment: Payment, receipt: [UInt8]?, because entry: HistoryEntry
    ) async throws(JournalError) -> Bool {
        FailPoint.committing.reachSoon()
        let isWritten =
            try await run(
                .transition,
                [
                    .text(payment.merchantReference), .text(payment.state.rawValue), .text(entry.state.rawValue),
                    .bytes(receipt), .moment(entry.at), .text(entry.storedReason), .text(entry.requestIdentifier),
                    .integer(entry.balance.captured.value), .integer(entry.balance.refunded.value),
                    .boolean(entry.state.isOpen), .moment(payment.claimedAt), .bytes(entry.event),
                    .boolean(entry.state.freesTokenAndKey),
                ] + Movement.made(from: payment, to: entry.state, entry.balance, of: payment.amount).values
                    + entry.keyValues + [.text(entry.source?.text)]
            ).count == 1
        if isWritten, entry.endsUnsent { await mergeRepeatedAttempts(of: payment.merchantReference) }
        return isWritten
    }

    public func compareAndSet(
        _ old: Payment, to new: Payment, because entry: HistoryEntry
    ) async throws(JournalError) -> Bool {
        let isWritten =
            try await run(
                .compareAndSet,
                [
                    .text(old.merchantReference), .integer(old.version), .integer(old.lease.number),
                    .text(new.state.rawValue), .integer(new.balance.captured.value),
                    .integer(new.balance.refunded.value),
                    .bytes(new.receipt), .bytes(PaymentOperation.encoded(new.operations)), .integer(new.lease.number),
                    .moment(new.lease.expiresAt), .boolean(new.isOpen), .moment(entry.at), .text(entry.storedReason),
                    .text(entry.requestIdentifier), .boolean(new.holdsCustomerData), .bytes(entry.event),
                ] + Movement.made(from: old, to: new.state, new.balance, of: old.amount).values + [
                    .moment(old.claimedAt)
                ]
                    + entry.keyValues + [.text(entry.source?.text)]
            ).count == 1
        if isWritten, entry.endsUnsent { await mergeRepeatedAttempts(of: old.merchantReference) }
        return isWritten
    }

    public func payment(_ merchantReference: String) async throws(JournalError) -> Payment? {
        try await read(.payment, [.text(merchantReference)]) { answer throws(UnreadableRecord) in
            guard let row = answer.rows.first else { return nil }
            return try Payment(row: row)
        }
    }

    public func history(of merchantReference: String) async throws(JournalError) -> [HistoryEntry] {
        try await read(.history, [.text(merchantReference)]) { answer throws(UnreadableRecord) in
            try answer.rows.map { row throws(UnreadableRecord) in try HistoryEntry(row: row, of: merchantReference) }
        }
    }

    public func lease(limit: Int, at moment: Date, until expiry: Date) async throws(JournalError) -> [Payment] {
        try await run(.lease, [.moment(moment), .moment(expiry), .integer(limit)]).rows.map(Payment.read)
            .readable(onUnreadable)
    }

    public func release(_ merchantReference: String, lease: Lease, at moment: Date) async throws(JournalError) {
        _ = try await run(
            .release,
            [.text(merchantReference), .integer(lease.number), .moment(lease.expiresAt), .moment(moment)])
    }

    public func openPayments(limit: Int) async throws(JournalError) -> [Payment] {
        try await run(.openPayments, [.integer(limit)]).rows.map(Payment.read).readable(onUnreadable)
    }

    public func openSummary(overdueBefore moment: Date) async throws(JournalError) -> OpenSummary {
        try await read(.openSummary, [.moment(moment)]) { answer throws(UnreadableRecord) in
            guard let row = answer.rows.first else { return OpenSummary() }
            return OpenSummary(
                count: try row.integer("open"), oldest: try row.nearestMoment("oldest"),
                overdue: try row.integer("overdue"))
        }
    }

    public func paymentsHoldingCustomerData(
        claimedBefore moment: Date, after place: PaymentCursor?, limit: Int
    ) async throws(JournalError) -> [PaymentCursor] {
        let values: [PostgresValue] = [
            .moment(moment), .moment(place?.at ?? Date(timeIntervalSince1970: 0)),
            .text(place?.merchantReference ?? ""),
            .integer(limit),
        ]
        return try await run(.paymentsHoldingCustomerData, values).rows.compactMap { PaymentCursor(reading: $0) }
    }
}
