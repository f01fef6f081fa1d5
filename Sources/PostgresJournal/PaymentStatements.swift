import PaymentRelay

extension PostgresStatement {
    static let columns = """
        payment.merchant_reference, payment.state, payment.command, payment.amount, payment.currency,
        payment.fingerprint, payment.apple_transaction_identifier, payment.claimed_at, payment.receipt,
        payment.lease_number, payment.lease_expires_at, payment.account, payment.captured, payment.refunded,
        payment.operations, payment.entries, payment.client, payment.holds_customer_data
        """

    /// Writes a payment and the first entry of its history, unless its reference, token or key is taken.
    static let claim = PostgresStatement(
        "claim", sharesCommits: true,
        """
        WITH claimed AS (
            INSERT INTO payment (merchant_reference, state, command, amount, currency, fingerprint, token_digest,
                idempotency_key, apple_transaction_identifier, claimed_at, opened_at, lease_number, lease_expires_at,
                account, client, entries)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11, $12, $17, $18, 1)
            ON CONFLICT DO NOTHING RETURNING merchant_reference, entries, claimed_at),
        \(keys(of: "claimed", first: 19))
        INSERT INTO history (merchant_reference, entry, at, state, reason, request_identifier, source)
        SELECT merchant_reference, entries, $13::bigint, $14::text, $15::text, $16::text, $25::text FROM claimed
        """)

    /// Writes a payment that was made elsewhere and the first entry of its history, unless its reference is taken.
    static let record = PostgresStatement(
        "record",
        """
        WITH recorded AS (
            INSERT INTO payment (merchant_reference, state, command, amount, currency, fingerprint,
                apple_transaction_identifier, claimed_at, opened_at, account, client, captured, refunded, receipt,
                lease_number, lease_expires_at, entries, events_last, events_due_at, events_waiting_since)
            VALUES ($1, $2::text, $3, $4, $5, ''::bytea, '', $6::bigint, CASE WHEN $7::boolean THEN $6::bigint END, $8, $9, $10::bigint,
                $11::bigint, $12, $13, $14, 1, CASE WHEN $15::bytea IS NULL THEN 0 ELSE 1 END,
                CASE WHEN $15::bytea IS NULL THEN NULL ELSE $16::bigint END,
                CASE WHEN $15::bytea IS NULL THEN NULL ELSE $16::bigint END)
            ON CONFLICT DO NOTHING RETURNING merchant_reference, entries, account, currency, claimed_at),
        \(moved(in: "recorded", at: "$16", charged: "$19", refunded: "$20", voided: "$21")),
        \(keys(of: "recorded", first: 22)),
        listed AS (
            INSERT INTO search_key (slot, claimed_at, merchant_reference, digest)
            SELECT \(SearchKey.madeElsewhere.slot), claimed_at, merchant_reference, \(SearchKey.madeElsewhere.digest)
            FROM recorded ON CONFLICT DO NOTHING)
        INSERT INTO history (merchant_reference, entry, at, state, captured, refunded, reason, request_identifier, event,
            source)
        SELECT merchant_reference, entries, $16::bigint, $2::text, $10::bigint, $11::bigint, $17::text, $18::text, $15::bytea,
            $28::text
        FROM recorded
        """)

    static let redactEvent = PostgresStatement(
        "redact_event", isRepeatable: true,
        "UPDATE history SET event = $3 WHERE merchant_reference = $1 AND entry = $2 AND event IS NOT NULL")

    /// The same, in the place of a payment that can be claimed again, where it is unchanged since it was read. Violates a
    /// unique constraint where the token or the key is taken.
    static let reclaim = PostgresStatement(
        "reclaim",
        """
        WITH claimed AS (
            UPDATE payment SET state = $2, command = $3, amount = $4, currency = $5, fingerprint = $6,
                token_digest = $7, idempotency_key = $8, apple_transaction_identifier = $9, claimed_at = $10,
                opened_at = $10, lease_number = $11, lease_expires_at = $12, account = $17, client = $18,
                receipt = NULL, captured = 0, refunded = 0, operations = NULL, holds_customer_data = true,
                entries = entries + 1
            WHERE merchant_reference = $1 AND entries = $19
            RETURNING merchant_reference, entries, claimed_at),
        \(erasedKeys(of: "claimed", claimedAt: "$20", if: "$20::bigint <> $10")),
        \(keys(of: "claimed", first: 21))
        INSERT INTO history (merchant_reference, entry, at, state, reason, request_identifier, source)
        SELECT merchant_reference, entries, $13::bigint, $14::text, $15::text, $16::text, $27::text FROM claimed
        """)

    /// The payments that hold a claim's reference, token or key. Three look-ups rather than one OR, which a server that
    /// has not yet counted its rows answers by reading all of them.
    static let claimHolders = PostgresStatement(
        "claim_holders", isRepeatable: true,
        """
        SELECT \(columns), 'reference' AS holds FROM payment WHERE merchant_reference = $1
        UNION ALL SELECT \(columns), 'token' FROM payment WHERE token_digest = $2
        UNION ALL SELECT \(columns), 'key' FROM payment WHERE idempotency_key = $3
        """)

    /// Repeatable, because the second time the payment is no longer in the state it was read in; the caller of the
    /// function then reads what it has become, and finds what the first time wrote.
    static let transition = PostgresStatement(
        "transition", isRepeatable: true, sharesCommits: true,
        """
        WITH changed AS (
            UPDATE payment SET state = $3, receipt = $4, entries = entries + 1, captured = $8, refunded = $9,
                opened_at = CASE WHEN $10::boolean THEN coalesce(opened_at, $5) END,
                token_digest = CASE WHEN $13::boolean THEN NULL ELSE token_digest END,
                idempotency_key = CASE WHEN $13::boolean THEN NULL ELSE idempotency_key END,
                \(queueEvent("$12", at: "$5"))
            WHERE merchant_reference = $1 AND state = $2 AND claimed_at = $11
            RETURNING merchant_reference, entries, account, currency, claimed_at),
        \(moved(in: "changed", at: "$5", charged: "$14", refunded: "$15", voided: "$16")),
        \(keys(of: "changed", first: 17))
        INSERT INTO history (merchant_reference, entry, at, state, reason, request_identifier, captured, refunded, event,
            source)
        SELECT merchant_reference, entries, $5::bigint, $3, $6::text, $7::text, $8, $9, $12, $23::text FROM changed
        """)

    /// Repeatable for the same reason: the second time, the payment has another version.
    static let compareAndSet = PostgresStatement(
        "compare_and_set", isRepeatable: true,
        """
        WITH changed AS (
            UPDATE payment SET state = $4, captured = $5, refunded = $6, receipt = $7, operations = $8,
                lease_number = $9, lease_expires_at = $10, entries = entries + 1,
                holds_customer_data = $15, opened_at = CASE WHEN $11::boolean THEN coalesce(opened_at, $12) END,
                \(queueEvent("$16", at: "$12"))
            WHERE merchant_reference = $1 AND entries = $2 AND lease_number = $3
            RETURNING merchant_reference, entries, account, currency, claimed_at),
        \(moved(in: "changed", at: "$12", charged: "$17", refunded: "$18", voided: "$19")),
        \(erasedKeys(of: "changed", claimedAt: "$20", if: "NOT $15::boolean")),
        \(keys(of: "changed", first: 21))
        INSERT INTO history (merchant_reference, entry, at, state, captured, refunded, reason, request_identifier, event,
            source)
        SELECT merchant_reference, entries, $12::bigint, $4, $5, $6, $13::text, $14::text, $16, $27::text FROM changed
        """)

    static let payment = PostgresStatement(
        "payment", isRepeatable: true, "SELECT \(columns) FROM payment WHERE merchant_reference = $1")

    static let history = PostgresStatement(
        "history", isRepeatable: true,
        """
        SELECT \(entryColumns) FROM history WHERE merchant_reference = $1 ORDER BY entry
        """)

    static let entryColumns =
        "at, state, captured, refunded, source, reason, request_identifier, event, entry, times, since"

    static let openPayments = PostgresStatement(
        "open_payments", isRepeatable: true,
        """
        SELECT \(columns) FROM payment WHERE opened_at IS NOT NULL ORDER BY opened_at LIMIT $1
        """)

    static let openSummary = PostgresStatement(
        "open_summary", isRepeatable: true,
        """
        SELECT count(*) AS open, min(opened_at) AS oldest, count(*) FILTER (WHERE opened_at < $1) AS overdue
        FROM payment WHERE opened_at IS NOT NULL
        """)

    static let paymentsHoldingCustomerData = PostgresStatement(
        "payments_holding_customer_data", isRepeatable: true,
        """
        SELECT claimed_at AS at, merchant_reference FROM payment
        WHERE holds_customer_data AND claimed_at < $1 AND opened_at IS NULL
        AND (claimed_at, merchant_reference) > ($2, $3)
        ORDER BY claimed_at, merchant_reference LIMIT $4
        """)

    static let lease = PostgresStatement(
        "lease",
        """
        WITH due AS (
            SELECT merchant_reference FROM payment
            WHERE opened_at IS NOT NULL AND lease_expires_at <= $1
            ORDER BY lease_expires_at LIMIT $3 FOR UPDATE SKIP LOCKED)
        UPDATE payment SET lease_expires_at = $2, lease_number = CASE
            WHEN payment.lease_number BETWEEN 0 AND \(PaymentRecord.countLimit) THEN payment.lease_number + 1
            ELSE payment.lease_number END
        FROM due WHERE payment.merchant_reference = due.merchant_reference
        RETURNING \(columns)
        """)

    static let release = PostgresStatement(
        "release", isRepeatable: true,
        """
        UPDATE payment SET lease_expires_at = $4
        WHERE merchant_reference = $1 AND lease_number = $2 AND lease_expires_at = $3
        """)
}
