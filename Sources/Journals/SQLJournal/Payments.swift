public import FoundationEssentials
public import PaymentRelay
import PayrelayPrimitives

extension SQLJournal {
    public func payments(
        _ merchantReferences: [String]
    ) async throws(JournalError) -> [Result<Payment, UnreadableRecord>] {
        guard !merchantReferences.isEmpty else { return [] }
        let isOne = merchantReferences.count == 1
        let payments = try await read(
            isOne ? .payment : .payments, isOne ? .payment : .payments(merchantReferences.count),
            merchantReferences.map { .text($0) }
        ).map(Payment.read)
        _ = payments.readable(onUnreadable)
        return payments
    }

    public func history(of merchantReference: String) async throws(JournalError) -> [HistoryEntry] {
        let rows = try await read(.history, .history, [.text(merchantReference)])
        return try reading { () throws(UnreadableRecord) in
            try rows.map { row throws(UnreadableRecord) in try HistoryEntry(row: row, of: merchantReference) }
        }
    }

    public func list(
        _ list: PaymentList, after place: PaymentCursor?, limit: Int
    ) async throws(JournalError) -> [PaymentCursor] {
        let (operation, statement, start, moment): (JournalOperation, Statement, Date, Date?) =
            switch list {
            case .open: (.openPayments, .openPayments, .distantPast, nil)
            case .holdingCustomerData(let moment):
                (.paymentsHoldingCustomerData, .holdingCustomerData, .distantPast, moment)
            case .withEvents(let since): (.paymentsWithEvents, .withEvents, since, since)
            case .deadLettered: (.deadLetteredPayments, .deadLettered, .distantPast, nil)
            case .undelivered(let moment): (.undeliveredPayments, .undelivered, .distantPast, moment)
            }
        // No reference is empty, so the empty text is before the first reference of the first moment.
        var values: [Value] = [
            .moment(place?.at ?? start), .text(place?.merchantReference ?? ""), .integer(limit),
        ]
        if let moment { values.append(.moment(moment)) }
        return try await read(operation, statement, values).compactMap { PaymentCursor(listed: $0) }
    }

    public func summary(notOverdueIn range: ClosedRange<Date>) async throws(JournalError) -> JournalSummary {
        let rows = try await read(.openSummary, .summary, [.moment(range.lowerBound), .moment(range.upperBound)])
        return try reading { () throws(UnreadableRecord) in
            var (payments, events, hints) = (OpenSummary(), EventSummary(), HintSummary())
            for row in rows {
                let (count, oldest) = (try row.integer("count"), try row.nearestMoment("oldest"))
                switch WorkKind(rawValue: try row.text("kind")) {
                case .query:
                    payments = OpenSummary(count: count, oldest: oldest, overdue: try row.integer("overdue"))
                case .deliver:
                    events = EventSummary(
                        undelivered: count, oldest: oldest, deadLettered: try row.integer("dead_lettered"))
                case .hint: hints = HintSummary(count: count, oldest: oldest)
                case nil: break
                }
            }
            return JournalSummary(payments: payments, events: events, hints: hints)
        }
    }
}

extension Payment {
    /// - Throws: ``UnreadableRecord`` if a column contains a value that no version of this code wrote, or two
    ///   columns contradict each other.
    init(row: Row) throws(UnreadableRecord) {
        let amount = try row.required("amount", MinorUnits(row.integer("amount")))
        let balance = Balance(
            captured: try row.required("captured", MinorUnits(row.integer("captured"))),
            refunded: try row.required("refunded", MinorUnits(row.integer("refunded"))))
        guard amount > .zero else { throw row.unreadable("amount") }
        guard balance.isPossible(for: amount) else { throw row.unreadable("captured") }
        let currency = try row.text("currency")
        guard currency.isCurrencyCode else { throw row.unreadable("currency") }
        self.init(
            merchantReference: row.reference,
            command: try row.required("command", Order.Command(rawValue: row.text("command"))),
            amount: amount, currency: currency,
            fingerprint: try row.optionalBytes("fingerprint").map { RequestFingerprint(bytes: $0) },
            appleTransactionIdentifier: try row.optionalText("apple_transaction_identifier"),
            claimedAt: try row.moment("claimed_at"), gateway: try row.text("gateway"),
            account: try row.optionalText("account"),
            merchantIdentifier: try row.optionalText("merchant_identifier"),
            client: try row.optionalText("client"),
            state: try row.required("state", PaymentState(rawValue: row.text("state"))), balance: balance,
            operations: try Self.operations(row, of: amount), version: try row.count("version"),
            holdsCustomerData: try row.integer("holds_customer_data") != 0, receipt: try row.optionalBytes("receipt"),
            gatewayReference: try row.optionalText("gateway_reference"),
            isReferenceOfCharge: try row.integer("is_reference_of_charge") != 0,
            cardLastFour: try row.optionalText("card_last_four"),
            emailDigest: try row.optionalBytes("email_digest").flatMap { EmailDigest(bytes: $0) },
            customer: CustomerDetails(json: Self.object(try row.optionalBytes("customer"))),
            summary: Self.object(try row.optionalBytes("summary")),
            taken: try Self.taken(row),
            archivedVersion: try Self.archivedVersion(row),
            lease: try Self.lease(row))
    }

    static func read(_ row: Row) -> Result<Payment, UnreadableRecord> {
        Result { () throws(UnreadableRecord) in try Payment(row: row) }
    }

    /// - Parameter amount: the authorized amount, which no operation can exceed.
    private static func operations(_ row: Row, of amount: MinorUnits) throws(UnreadableRecord) -> [PaymentOperation] {
        guard let bytes = try row.optionalBytes("operations") else { return [] }
        guard let read = try? PaymentOperation.operations(from: bytes),
            read.allSatisfy({ $0.before.isPossible(for: amount) && $0.after?.isPossible(for: amount) ?? false }),
            read.dropLast().allSatisfy({ !$0.state.isOpen })
        else { throw row.unreadable("operations") }
        return read
    }

    /// Returns the lease in the row of the payment's query; `nil` if nothing of the payment is open.
    private static func lease(_ row: Row) throws(UnreadableRecord) -> Lease? {
        guard try row.optionalInteger("lease_number") != nil else { return nil }
        return Lease(number: try row.count("lease_number"), expiresAt: try row.moment("lease_expires_at"))
    }

    private static func archivedVersion(_ row: Row) throws(UnreadableRecord) -> Int? {
        guard try row.optionalInteger("archived") != nil else { return nil }
        let version = try row.count("archived", from: 1)
        guard try version <= row.integer("version") else { throw row.unreadable("archived") }
        return version
    }

    private static func taken(_ row: Row) throws(UnreadableRecord) -> Taken? {
        guard let name = try row.optionalText("taken_by"), let at = try row.nearestMoment("taken_at") else {
            return nil
        }
        return Taken(by: name.storable(upTo: 64), at: at)
    }

    /// Returns an object that is only displayed. If it cannot be read, it is empty.
    private static func object(_ bytes: [UInt8]?) -> JSONObject {
        bytes.flatMap { try? JSON(parsing: $0) }?.objectValue ?? JSONObject()
    }
}

extension HistoryEntry {
    /// - Parameter merchantReference: the reference of the payment whose history it is.
    init(row: Row, of merchantReference: String) throws(UnreadableRecord) {
        do throws(UnreadableRecord) {
            self.init(
                at: try row.moment("at"),
                state: try row.required("state", PaymentState(rawValue: row.text("state"))),
                balance: Balance(
                    captured: try row.required("captured", MinorUnits(row.integer("captured"))),
                    refunded: try row.required("refunded", MinorUnits(row.integer("refunded")))),
                source: try row.optionalText("source").flatMap { HistorySource(text: $0) },
                kind: EntryKind(text: try row.text("kind")), operation: try EntryOperation(row: row),
                reason: try row.optionalText("reason"),
                requestIdentifier: try row.optionalText("request_identifier"),
                operatorName: try row.optionalText("operator"), event: try row.optionalBytes("event"),
                note: try row.optionalText("note")?.storable(upTo: OperatorNote.byteLimit))
            number = try row.integer("number")
            // An impossible count is not a reason to hide the entry.
            times = max(1, min(try row.integer("times"), Row.countLimit))
            since = try row.optionalInteger("since").flatMap { EpochMilliseconds(milliseconds: $0)?.date }
        } catch {
            throw UnreadableRecord(merchantReference: merchantReference, column: "history")
        }
    }
}

extension EntryOperation {
    fileprivate init?(row: Row) throws(UnreadableRecord) {
        guard let identifier = try row.optionalText("operation") else { return nil }
        let state = try row.optionalText("operation_state")
        self.init(
            identifier,
            try state.map { state throws(UnreadableRecord) in
                try row.required("operation_state", PaymentOperation.State(rawValue: state))
            })
    }
}

extension PaymentCursor {
    /// Reads a place in a list with ascending moments. After a reference that cannot be read, the list goes on with
    /// the next moment. `nil` if the row's moment cannot be read, or there is no later one.
    fileprivate init?(listed row: Row) {
        self.init(reading: row)
        if merchantReference.isEmpty {
            guard let next = EpochMilliseconds(milliseconds: EpochMilliseconds(at).milliseconds + 1) else { return nil }
            self = PaymentCursor(at: next.date, merchantReference: "")
        }
    }

    /// Reads a place; `nil` if the row's moment cannot be read.
    init?(reading row: Row, at column: String = "at") {
        guard let at = try? row.moment(column) else { return nil }
        self.init(at: at, merchantReference: row.reference)
    }
}

extension Statement {
    /// The columns of a payment. Its receipt and its summary are read from the last entry of its history.
    static let paymentColumns = """
        merchant_reference, \(PaymentColumn.all.filter(\.isRead).map(\.name).joined(separator: ", ")), archived,
        \(ofQuery("attempt")) AS lease_number, \(ofQuery("due_at")) AS lease_expires_at, version, \(ofLastEntry("receipt")) AS receipt, \(ofLastEntry("summary")) AS summary
        """

    /// Returns a column of the query that is due about a payment.
    private static func ofQuery(_ column: String) -> String {
        """
        (SELECT work.\(column) FROM work WHERE work.kind = 'query' AND work.merchant_reference = payment.merchant_reference
            AND work.account = '')
        """
    }

    /// Returns a column of the last entry of a payment's history.
    static func ofLastEntry(_ column: String) -> String {
        """
        (SELECT history.\(column) FROM history WHERE history.merchant_reference = payment.merchant_reference
            AND history.number = payment.version)
        """
    }

    fileprivate static let payment = Statement(
        "payment", isRepeatable: true, "SELECT \(paymentColumns) FROM payment WHERE merchant_reference = $1")

    fileprivate static func payments(_ count: Int) -> Statement {
        Statement(
            nil, isRepeatable: true,
            "SELECT \(paymentColumns) FROM payment WHERE merchant_reference IN (\(parameters(count)))")
    }

    /// `$1, $2, …`.
    static func parameters(_ count: Int) -> String { (1...count).map { "$\($0)" }.joined(separator: ", ") }

    fileprivate static let history = Statement(
        "history", isRepeatable: true,
        "SELECT \(entryColumns) FROM history WHERE merchant_reference = $1 ORDER BY number")

    /// Columns of a history entry.
    static let entryColumns = """
        number, at, state, captured, refunded, source, kind, operation, operation_state, reason, request_identifier,
        operator, event, note, times, since
        """

    fileprivate static let openPayments = list(
        "open_payments", of: "work", at: "since", where: "kind = 'query'")
    fileprivate static let holdingCustomerData = list(
        "holding_customer_data", of: "payment INDEXED BY payment_with_customer_data", at: "claimed_at",
        where: "holds_customer_data = 1 AND claimed_at < $4 AND NOT \(hasWork(.query))")
    fileprivate static let deadLettered = list(
        "dead_lettered", of: "work", at: "since", where: "kind = 'deliver' AND due_at IS NULL")
    fileprivate static let undelivered = list(
        "undelivered", of: "work", at: "since", where: "kind = 'deliver' AND since < $4 AND due_at IS NOT NULL")
    fileprivate static let withEvents = list(
        "with_events", of: "history", at: "at",
        where: """
            event IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM history AS earlier WHERE earlier.merchant_reference = history.merchant_reference
                AND earlier.number < history.number AND earlier.event IS NOT NULL AND earlier.at >= $4)
            """)

    private static func list(_ name: String, of table: String, at column: String, where condition: String) -> Statement
    {
        Statement(
            name, isRepeatable: true,
            """
            SELECT \(column) AS at, merchant_reference FROM \(table)
            WHERE \(condition) AND (\(column), merchant_reference) > ($1, $2) AND \(column) <= \(EpochMilliseconds.last)
            ORDER BY \(column), merchant_reference LIMIT $3
            """)
    }

    /// Returns the condition that the payment has work of a kind.
    static func hasWork(_ kind: WorkKind) -> String {
        """
        EXISTS (SELECT 1 FROM work WHERE work.kind = '\(kind.rawValue)'
            AND work.merchant_reference = payment.merchant_reference)
        """
    }

    fileprivate static let summary = Statement(
        "summary", isRepeatable: true,
        """
        SELECT kind, count(*) AS count, min(since) AS oldest, count(*) FILTER (WHERE since NOT BETWEEN $1 AND $2) AS overdue,
            count(*) FILTER (WHERE due_at IS NULL) AS dead_lettered
        FROM work WHERE since IS NOT NULL GROUP BY kind
        """)
}
