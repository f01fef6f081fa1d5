import Crypto
public import PaymentRelay
import PayrelayPrimitives

/// R1, R2, R7, R13: of claims that come at once, one is written. Unique constraints decide which;
/// ``Claim/conflict(with:keyUse:isTokenUsed:)`` decides what the others are answered.
extension SQLJournal {
    public func claim(_ claim: Claim) async throws(JournalError) -> ClaimResult {
        try await isInserted(claim) ? .claimed : try await claimInPlace(claim)
    }

    private func isInserted(_ claim: Claim) async throws(JournalError) -> Bool {
        try await write(
            .claim, .insert(isOpen: true, hasEvent: false, movements: 0, hasKey: claim.idempotencyKey != nil),
            claim.values
        ).count == 1
    }

    /// Answers what stands in the way of a claim, or takes its place. Not inlined: what it needs would have its place in the frame of every
    /// claim.
    @inline(never) private func claimInPlace(_ claim: Claim) async throws(JournalError) -> ClaimResult {
        // Each further attempt means that what stood in the way has changed in between.
        for _ in 0..<Self.attempts {
            let (known, conflict) = try await conflict(with: claim)
            if let conflict {
                if case .recordUnreadable(let record) = conflict { onUnreadable(record) }
                return conflict
            }
            let reclaim = Statement.reclaim(hasKey: claim.idempotencyKey != nil)
            if let known, try await write(.claim, reclaim, claim.values + [.integer(known.version)]).count == 1 {
                return .claimed(inPlaceOf: known)
            }
            if try await isInserted(claim) { return .claimed }
        }
        throw .contended
    }

    private static let attempts = 8

    /// The payment under the claim's reference, and why the claim must not be written; both nil where what was in the
    /// way is gone.
    private func conflict(
        with claim: Claim
    ) async throws(JournalError) -> (known: Payment?, conflict: ClaimResult?) {
        let rows = try await read(
            .claim, .claimHolders,
            [.text(claim.payment.merchantReference), .text(claim.tokenIdentifier), .text(claim.idempotencyKey)])
        var holders: [String: Row] = [:]
        for row in rows { holders[try reading { () throws(UnreadableRecord) in try row.text("holds") }] = row }
        let known = holders["reference"].map(Payment.read)
        let use = try holders["key"].map { row throws(JournalError) in
            try reading { () throws(UnreadableRecord) in try KeyUse(row: row) }
        }
        let conflict = claim.conflict(
            with: known, keyUse: { _ in use }, isTokenUsed: { holders["token"] != nil })
        return (try? known?.get(), conflict)
    }

    public func use(ofKey key: String) async throws(JournalError) -> KeyUse? {
        let row = try await read(.keyUse, .keyUse, [.text(key)]).first
        return try reading { () throws(UnreadableRecord) in
            try row.map { row throws(UnreadableRecord) in try KeyUse(row: row) }
        }
    }

    public func commit(_ change: JournaledChange, if condition: ChangeCondition) async throws(JournalError) -> Bool {
        let movements = Movement.made(
            from: change.from, to: change.to.state, change.to.balance, of: change.to.amount)
        let moved = movements.flatMap { [Value.integer($0.kind.rawValue), .integer($0.amount.value)] }
        var isWritten: Bool
        if let from = change.from {
            let keyChange = change.keyChange(if: condition)
            let kind = UpdateKind(
                isWhole: condition == .sameVersion, hasEvent: change.entry.event != nil,
                query: QueryChange(from: from, to: change.to), keyChange: keyChange, movements: movements.count)
            isWritten =
                try await write(
                    condition == .sameVersion ? .compareAndSet : .transition, .update(kind),
                    change.values(from: from, if: condition) + moved + (keyChange?.values ?? [])
                ).count == 1
            // The driver may have run the statement twice: the first time wrote, and its answer was lost with the connection.
            if !isWritten { isWritten = try await hasEntry(of: change, after: from) }
        } else {
            isWritten =
                try await write(
                    .record,
                    .insert(
                        isOpen: change.to.isOpen, hasEvent: change.entry.event != nil, movements: movements.count,
                        hasKey: false), change.to.values(change.entry) + moved
                ).count == 1
        }
        if isWritten, change.entry.endsUnsent { await mergeUnsentAttempts(of: change.to.merchantReference) }
        return isWritten
    }

    /// Whether the change is in the history already.
    private func hasEntry(of change: JournaledChange, after from: Payment) async throws(JournalError) -> Bool {
        let values: [Value] = [.text(from.merchantReference), .integer(from.version), .integer(change.identifier)]
        return try await !read(.history, .entryOfChange, values).isEmpty
    }

    /// Counts two attempts that were not sent as one; see ``UnsentAttempts``. Nobody changes these entries any more, so it needs no
    /// transaction with the newest of them. Where it cannot be done, the history has more entries, and says the same.
    private func mergeUnsentAttempts(of merchantReference: String) async {
        let newest = try? await read(.history, .newestEntries, [.text(merchantReference)])
            .reversed().map { try HistoryEntry(row: $0, of: merchantReference) }
        guard let newest, let merged = UnsentAttempts.merged(newest) else { return }
        _ = try? await write(
            .history, .mergeAttempts,
            [.text(merchantReference)] + newest.map { .integer($0.number) } + [
                .integer(merged.begin.times), .moment(merged.begin.since), .integer(merged.end.times),
                .moment(merged.end.since),
            ])
    }
}

/// The parts of a payment's update.
struct UpdateKind {
    /// Whether all that can change is written, or what the outcome of a charge changes: SQLite writes each index again that has a column
    /// which is set.
    let isWhole: Bool
    let hasEvent: Bool
    let query: QueryChange
    let keyChange: KeyChange?
    let movements: Int

    var name: String {
        [
            "update", isWhole ? "whole" : "outcome", hasEvent ? "event" : "silent",
            query.rawValue, keyWord, "\(movements)",
        ].joined(separator: "_")
    }

    private var keyWord: String {
        switch keyChange {
        case nil: "same_key"
        case .taken: "takes_key"
        case .releasedByOperation: "unsent_operation"
        case .releasedByCharge: "unsent"
        }
    }
}

/// What becomes of the query about a payment.
enum QueryChange: String {
    /// Nothing of the payment is open, before the change and after it.
    case none
    case stays
    /// Something of the payment is open from now on.
    case begins
    /// Nothing of it is open any more.
    case ends
    /// The holder of its lease gives it up: it is due at another time.
    case moves

    init(from: Payment, to: Payment) {
        self =
            switch (from.isOpen, to.isOpen) {
            case (false, false): .none
            case (false, true): .begins
            case (true, false): .ends
            case (true, true): from.lease == to.lease ? .stays : .moves
            }
    }
}

extension KeyChange {
    /// The last values of ``Statement/update(_:)``.
    fileprivate var values: [Value] {
        switch self {
        case .taken(let key, let operation): [.text(key), .text(operation)]
        case .releasedByOperation(let key): [.text(key)]
        case .releasedByCharge: []
        }
    }
}

extension KeyUse {
    fileprivate init(row: Row) throws(UnreadableRecord) {
        self.init(of: try row.text("merchant_reference"), operation: try row.optionalText("key_operation"))
    }
}

extension Claim {
    /// The values of ``Statement/insert(isOpen:hasEvent:movements:hasKey:)``.
    var values: [Value] { payment.values(entry, token: token, idempotencyKey: idempotencyKey) }
}

extension Payment {
    /// The values of ``Statement/insert(isOpen:hasEvent:movements:hasKey:)``: those of a new payment and of its first entry.
    func values(_ entry: HistoryEntry, token: SHA256Digest? = nil, idempotencyKey: String? = nil) -> [Value] {
        let tokenDigest = token.map { Array($0) }
        return [
            .text(merchantReference), .text(state.rawValue), .text(command.rawValue), .integer(amount.value),
            .text(currency), .bytes(fingerprint?.bytes), .bytes(tokenDigest), .text(idempotencyKey),
            .text(appleTransactionIdentifier), .moment(claimedAt), .moment(openSince), .text(gateway), .text(account),
            .text(client),
            .integer(balance.captured.value), .integer(balance.refunded.value), .text(gatewayReference),
            .text(cardLastFour), .bytes(emailDigest?.bytes), .integer(lease.number), .moment(lease.expiresAt),
            .moment(entry.at), .text(entry.source?.text), .text(entry.storedReason), .text(entry.requestIdentifier),
            .bytes(entry.event), .bytes(receipt), .bytes(storedSummary), .bytes(storedCustomer),
            .text(customer.cardLastFour), .bytes(customer.phoneDigest?.bytes), .bytes(customer.nameDigest?.bytes),
            .text(merchantIdentifier), .text(entry.kind?.text), .text(entry.operatorName),
        ]
    }

    fileprivate var storedSummary: [UInt8]? { Self.stored(summary) }
    fileprivate var storedCustomer: [UInt8]? { Self.stored(customer.json) }

    private static func stored(_ object: JSONObject) -> [UInt8]? {
        object.isEmpty ? nil : JSON.object(object).encoded()
    }
}

extension JournaledChange {
    /// The values of ``Statement/update(_:)``, without those of its movements and of its key.
    fileprivate func values(from: Payment, if condition: ChangeCondition) -> [Value] {
        let common: [Value] = [
            .text(from.merchantReference), .text(to.state.rawValue), .integer(to.balance.captured.value),
            .integer(to.balance.refunded.value), .moment(entry.at), .text(entry.source?.text),
            .text(entry.storedReason), .text(entry.requestIdentifier), .bytes(entry.event), .bytes(to.receipt),
            .bytes(to.storedSummary), .text(to.gatewayReference), .text(to.cardLastFour), .moment(to.openSince),
        ]
        return switch condition {
        case .sameState:
            common + [
                .text(from.state.rawValue), .moment(from.claimedAt), .integer(from.lease.number),
                .moment(from.lease.expiresAt), .moment(to.lease.expiresAt),
            ] + ofEntry
        case .sameVersion:
            common + [
                .integer(from.version), .integer(from.lease.number), .bytes(PaymentOperation.encoded(to.operations)),
                .integer(to.lease.number), .moment(to.lease.expiresAt), .truth(to.holdsCustomerData),
                .bytes(to.emailDigest?.bytes), .bytes(to.storedCustomer), .text(to.customer.cardLastFour),
                .text(to.taken?.operatorName), .moment(to.taken?.at), .bytes(to.customer.phoneDigest?.bytes),
                .bytes(to.customer.nameDigest?.bytes), .text(to.command.rawValue), .integer(to.amount.value),
                .moment(from.lease.expiresAt),
            ] + ofEntry
        }
    }

    private var ofEntry: [Value] {
        [
            .text(entry.note), .integer(identifier), .text(entry.kind?.text), .text(entry.operation?.identifier),
            .text(entry.operation?.state?.rawValue), .text(entry.operatorName),
        ]
    }
}

extension Statement {
    /// Writes a payment, the first entry of its history and its key, unless its reference, token or key is taken.
    ///
    /// If two claims with one key come at once, neither sees the other's row, and the primary key of the keys refuses the second claim
    /// as a whole. For every later claim there is the condition: a refusal would undo the other statements that share the commit.
    ///
    /// - Parameters:
    ///   - isOpen: whether the payment is to be queried.
    ///   - hasEvent: whether the entry has an event.
    static func insert(isOpen: Bool, hasEvent: Bool, movements: Int, hasKey: Bool) -> Statement {
        let values = """
            $1, $2, $3, $4, $5, $6, $7, $9, $10, $12, $13, $14, $15, $16, $17, $18, $19, 1, 1, $29, $30, $31, $32, $33
            """
        let others =
            moved(movements, at: "$22", from: 36) + (hasKey ? [takeKey("$8")] : []) + (isOpen ? [addQueryOfClaim] : [])
            + (hasEvent ? [addDelivery(at: "$22")] : [])
        let name = ["insert", isOpen ? "open" : "settled", hasEvent ? "event" : "silent", hasKey ? "key" : "no_key"]
        return Statement(
            name.joined(separator: "_") + "_\(movements)", sharesCommits: true,
            obstacle: hasKey ? "SELECT 1 FROM idempotency_key WHERE owned_key = $8" : nil,
            """
            INSERT INTO payment (merchant_reference, state, command, amount, currency, fingerprint, token_digest,
                apple_transaction_identifier, claimed_at, gateway, account, client,
                captured, refunded, gateway_reference, card_last_four, email_digest, holds_customer_data, version,
                customer, displayed_card_last_four, phone_digest, name_digest, merchant_identifier)
            \(hasKey ? "SELECT \(values)\nWHERE \(isFree("$8"))" : "VALUES (\(values))")
            ON CONFLICT DO NOTHING
            """, others + [firstEntry])
    }

    /// Adds the query about a payment of which something is open from now on.
    ///
    /// - Parameters: the parameters with the end of the lease, at which the query is due, with the lease's number, and with the time since
    ///   which the charge or the operation is open.
    private static func addQuery(due: String, lease: String, since: String) -> String {
        """
        INSERT INTO work (kind, merchant_reference, account, gateway, due_at, attempt, since, entry, newest)
        SELECT 'query', $1, '', (SELECT gateway FROM changed), \(due), \(lease), \(since), 0, 0
        FROM changed
        ON CONFLICT (kind, merchant_reference, account) DO UPDATE SET gateway = excluded.gateway, due_at = excluded.due_at,
            attempt = excluded.attempt, since = excluded.since
        """
    }

    /// The query about a payment that is claimed.
    private static let addQueryOfClaim = addQuery(due: "$21", lease: "$20", since: "$11")

    private static let deleteQuery = "DELETE FROM work WHERE \(row(.query)) AND EXISTS (SELECT 1 FROM changed)"

    static func isFree(_ key: String) -> String {
        "NOT EXISTS (SELECT 1 FROM idempotency_key WHERE owned_key = \(key))"
    }

    private static func takeKey(_ key: String, operation: String = "NULL") -> String {
        """
        INSERT INTO idempotency_key (owned_key, merchant_reference, operation)
        SELECT \(key), $1, \(operation)
        FROM changed
        """
    }

    /// Writes a claim in the place of the payment that has its reference, while that is as it was read; to be archived changes no
    /// version. Its values are those of ``insert(isOpen:hasEvent:movements:hasKey:)``, and the version that was read.
    static func reclaim(hasKey: Bool) -> Statement {
        Statement(
            hasKey ? "reclaim_with_key" : "reclaim",
            """
            UPDATE payment SET state = $2, command = $3, amount = $4, currency = $5, fingerprint = $6, token_digest = $7,
                apple_transaction_identifier = $9, claimed_at = $10, gateway = $12,
                account = $13, client = $14, captured = $15, refunded = $16, operations = NULL, gateway_reference = $17,
                card_last_four = $18, email_digest = $19, customer = $29, displayed_card_last_four = $30,
                phone_digest = $31, name_digest = $32, merchant_identifier = $33,
                holds_customer_data = 1, taken_by = NULL, taken_at = NULL, version = version + 1
            WHERE merchant_reference = $1 AND version = $36 AND archived IS NULL\(hasKey ? " AND \(isFree("$8"))" : "")
            """, (hasKey ? [takeKey("$8")] : []) + [addQueryOfClaim, firstEntry])
    }

    private static let firstEntry = """
        INSERT INTO history (merchant_reference, number, at, state, captured, refunded, source, reason,
            request_identifier, event, receipt, summary, kind, operator, times)
        SELECT $1, (SELECT version FROM changed), $22, $2, $15, $16, $23, $24, $25, $26, $27, $28, $34, $35, 1
        FROM changed
        """

    /// The payments that hold a claim's reference, token or key. Three look-ups rather than one OR, which a server that
    /// has not yet counted its rows answers by reading all of them.
    static let claimHolders = Statement(
        "claim_holders", isRepeatable: true,
        """
        SELECT \(paymentColumns), 'reference' AS holds, CAST(NULL AS text) AS key_operation
        FROM payment WHERE merchant_reference = $1
        UNION ALL SELECT \(paymentColumns), 'token' AS holds, CAST(NULL AS text) AS key_operation FROM payment
        WHERE token_digest IS NOT NULL AND substr(apple_transaction_identifier, 1, 64) = $2
        UNION ALL SELECT \(paymentColumns), 'key' AS holds,
            (SELECT operation FROM idempotency_key WHERE owned_key = $3) AS key_operation FROM payment
        WHERE merchant_reference = (SELECT merchant_reference FROM idempotency_key WHERE owned_key = $3)
        """)

    /// Takes a payment from one state to another, with the entry of its history.
    ///
    /// Repeatable, because the second time the payment is no longer as it was read. The journal then finds the entry that the first
    /// time wrote.
    static func update(_ kind: UpdateKind) -> Statement {
        var assignments = [
            "state = $2", "captured = $3", "refunded = $4", "gateway_reference = $12", "card_last_four = $13",
            "version = version + 1",
        ]
        if kind.keyChange == .releasedByCharge { assignments.append("token_digest = NULL") }
        var others: [String] = []
        var condition: String
        if kind.isWhole {
            assignments += [
                "operations = $17", "holds_customer_data = $20",
                "email_digest = $21", "customer = $22", "displayed_card_last_four = $23", "taken_by = $24",
                "taken_at = $25", "phone_digest = $26", "name_digest = $27", "command = $28", "amount = $29",
            ]
            condition = "version = $15"
            // If another instance has leased the query since, it is about to change the payment: then this change is not written.
            if ![.none, .begins].contains(kind.query) {
                condition += " AND EXISTS (SELECT 1 FROM work WHERE \(row(.query)) AND attempt = $16)"
            }
            // The new entry has them, perhaps without the customer's data.
            others.append(
                """
                UPDATE history SET receipt = NULL, summary = NULL
                WHERE merchant_reference = $1 AND number <= $15 AND (receipt IS NOT NULL OR summary IS NOT NULL)
                    AND EXISTS (SELECT 1 FROM changed)
                """)
        } else {
            condition = "state = $15 AND claimed_at = $16"
        }
        switch kind.query {
        case .none, .stays: break
        case .begins: others.append(addQuery(due: "$19", lease: "$18", since: "$14"))
        case .ends: others.append(deleteQuery)
        case .moves:
            let (number, expiry, due) = kind.isWhole ? ("$16", "$30", "$19") : ("$17", "$18", "$19")
            others.append(
                """
                UPDATE work SET due_at = \(due)
                WHERE \(row(.query)) AND attempt = \(number) AND due_at = \(expiry) AND EXISTS (SELECT 1 FROM changed)
                """)
        }
        if kind.hasEvent { others.append(addDelivery(at: "$5")) }
        let note = kind.isWhole ? 31 : 20
        others += moved(kind.movements, at: "$5", from: note + 6)
        let key = note + 6 + 2 * kind.movements
        switch kind.keyChange {
        case nil: break
        case .taken:
            condition += " AND \(isFree("$\(key)"))"
            others.append(takeKey("$\(key)", operation: "$\(key + 1)"))
        case .releasedByOperation: others.append(releaseKey("owned_key = $\(key)"))
        case .releasedByCharge: others.append(releaseKey("operation IS NULL"))
        }
        others.append(
            """
            INSERT INTO history (merchant_reference, number, at, state, captured, refunded, source, reason,
                request_identifier, event, receipt, summary, note, times, change_identifier, kind, operation,
                operation_state, operator)
            SELECT $1, (SELECT version FROM changed), $5, $2, $3, $4, $6, $7, $8, $9, $10, $11, $\(note), 1, $\(note + 1),
                $\(note + 2), $\(note + 3), $\(note + 4), $\(note + 5)
            FROM changed
            """)
        return Statement(
            kind.name, isRepeatable: true, sharesCommits: !kind.isWhole,
            """
            UPDATE payment SET \(assignments.joined(separator: ", "))
            WHERE merchant_reference = $1 AND \(condition)
            """, others)
    }

    private static func releaseKey(_ condition: String) -> String {
        "DELETE FROM idempotency_key WHERE merchant_reference = $1 AND \(condition) AND EXISTS (SELECT 1 FROM changed)"
    }

    /// - Parameter first: the number of the first parameter; each movement has its kind and its amount.
    private static func moved(_ movements: Int, at moment: String, from first: Int) -> [String] {
        (0..<movements).map { place in
            """
            INSERT INTO movement (merchant_reference, entry, account, currency, at, kind, amount)
            SELECT $1, (SELECT version FROM changed), (SELECT account FROM changed), (SELECT currency FROM changed),
                \(moment), $\(first + 2 * place), $\(first + 2 * place + 1)
            FROM changed
            """
        }
    }

    fileprivate static let entryOfChange = Statement(
        "entry_of_change", isRepeatable: true,
        "SELECT number FROM history WHERE merchant_reference = $1 AND number > $2 AND change_identifier = $3 LIMIT 1")

    fileprivate static let keyUse = Statement(
        "key_use", isRepeatable: true,
        "SELECT merchant_reference, operation AS key_operation FROM idempotency_key WHERE owned_key = $1")

    fileprivate static let newestEntries = Statement(
        "newest_entries", isRepeatable: true,
        """
        SELECT \(entryColumns) FROM history WHERE merchant_reference = $1
        ORDER BY number DESC LIMIT \(UnsentAttempts.entries)
        """)

    /// The second time, the first two entries are gone.
    fileprivate static let mergeAttempts = Statement(
        "merge_attempts", isRepeatable: true, isGuarded: false,
        """
        UPDATE history SET times = CASE number WHEN $4 THEN $6 ELSE $8 END, since = CASE number WHEN $4 THEN $7 ELSE $9 END
        WHERE merchant_reference = $1 AND number IN ($4, $5)
            AND (SELECT count(*) FROM history WHERE merchant_reference = $1 AND number IN ($2, $3)) = 2
        """,
        [
            "DELETE FROM query_without_change WHERE merchant_reference = $1 AND entry IN ($2, $3)",
            "DELETE FROM history WHERE merchant_reference = $1 AND number IN ($2, $3)",
        ])
}
