/// The tables of the journal, version by version, for both databases. ``Dialect`` has SQLite's differences.
///
/// A published version is never changed; a new version is added, with the statements that lead to it. Each
/// statement can be repeated, if a database without transactional table definitions stopped half-way.
///
/// The cost of a payment is the pages that it changes. The receipt, which grows when a payment settles, is in the
/// history, which is written anyway. No index contains rows without a value, and the indexes of open work stay
/// small.
public enum Schema {
    /// The statements that lead to each version from the one before it.
    public static let versions = [first + probe(1...19)]

    private static let first = """
        -- Times are milliseconds since 1970, at most until the end of the year 9999. Amounts are in minor units of the
        -- payment's currency. Booleans are 1 and 0. Texts are UTF-8 without the character NUL, compared by their bytes.

        -- A payment: one row for each order, by the merchant's reference.
        CREATE TABLE IF NOT EXISTS payment (
            -- The merchant's name for the order. R1, R2: it belongs to one request.
            merchant_reference text COLLATE "C" PRIMARY KEY NOT NULL,
            -- The outcome that clients are answered: processing, uncertain, authorized, captured, ...
            state text NOT NULL,
            -- PURCHASE or AUTHORIZATION.
            command text NOT NULL,
            -- The amount that is charged or held.
            amount bigint NOT NULL,
            -- The currency's alphabetic code in ISO 4217.
            currency text NOT NULL,
            -- The SHA-256 by which a repeated request is recognized. NULL if no request to this service made the payment.
            fingerprint bytea,
            -- The SHA-256 of the content that Apple signed. While it is set, the token pays only this order (R13). NULL if no
            -- token was sent to this service, or if nothing was sent to the gateway with it.
            token_digest bytea,
            -- Apple's header.transactionId, as hex in lower case. NULL if no token was sent to this service.
            apple_transaction_identifier text,
            -- The time at which the order was claimed, or at which an external payment was first recorded.
            claimed_at bigint NOT NULL,
            -- The name of the gateway that charged the payment.
            gateway text NOT NULL,
            -- The merchant's name of the account at the gateway. NULL if no account is named.
            account text,
            -- The gateway's identifier of the merchant to whom the account belongs: requests about the payment go only to this
            -- merchant. NULL if it is not known. In this case the account's name decides.
            merchant_identifier text,
            -- The authenticated client that made the payment. NULL if clients are not authenticated, and for external payments.
            client text,
            -- The total captured amount.
            captured bigint NOT NULL,
            -- The total refunded amount.
            refunded bigint NOT NULL,
            -- Captures, voids and refunds, as a JSON array, oldest first. NULL if there are none.
            operations bytea,
            -- The gateway's number of the charge. NULL while the number is not known.
            gateway_reference text,
            -- Whether the answer to the charge itself named this number. A number that only a query named may belong to another
            -- attempt.
            is_reference_of_charge bigint NOT NULL DEFAULT 0,
            -- The last four digits of the card. NULL if they are not known, or were erased with the customer's data.
            card_last_four text,
            -- The last four digits of the card as the customer's phone shows them. NULL as above.
            displayed_card_last_four text,
            -- The customer and the card, as the order and the token describe them: a JSON object. NULL if nothing is known, or
            -- if it was erased with the customer's data.
            customer bytea,
            -- The SHA-256 of the customer's email, phone number and name, as `EmailDigest`, `PhoneDigest` and `NameDigest` read
            -- them. NULL as above.
            email_digest bytea,
            phone_digest bytea,
            name_digest bytea,
            -- Whether receipts and events may still hold the customer's data.
            holds_customer_data bigint NOT NULL,
            -- Optimistic lock: the number of the last entry in the payment's history.
            version bigint NOT NULL,
            -- The name of the operator to whom the payment is assigned, and the time of the assignment. NULL if it is not
            -- assigned.
            taken_by text,
            taken_at bigint,
            -- The number of the last archived entry of the history. The archive of the claim's month has the history, answers
            -- and operations up to this entry. Only this row and the movements stay here. NULL if nothing is archived.
            archived bigint
        );
        -- R13: a token is recognized by its `Change.tokenIdentifier`.
        CREATE UNIQUE INDEX IF NOT EXISTS payment_by_token ON payment (substr(apple_transaction_identifier, 1, 64))
            WHERE token_digest IS NOT NULL;
        CREATE INDEX IF NOT EXISTS payment_by_other_identifier ON payment (substr(apple_transaction_identifier, 1, 64))
            WHERE token_digest IS NULL AND apple_transaction_identifier IS NOT NULL;
        -- For prefixes of references as people type them: ASCII letters match in both cases.
        CREATE INDEX IF NOT EXISTS payment_by_lowercase_reference ON payment (lower(merchant_reference));
        CREATE INDEX IF NOT EXISTS payment_by_gateway_reference ON payment (gateway_reference)
            WHERE gateway_reference IS NOT NULL;
        CREATE INDEX IF NOT EXISTS payment_by_email ON payment (email_digest, claimed_at) WHERE email_digest IS NOT NULL;
        CREATE INDEX IF NOT EXISTS payment_by_phone ON payment (phone_digest, claimed_at) WHERE phone_digest IS NOT NULL;
        CREATE INDEX IF NOT EXISTS payment_by_name ON payment (name_digest, claimed_at) WHERE name_digest IS NOT NULL;
        -- The indexes of lists have the order of the lists' pages.
        CREATE INDEX IF NOT EXISTS payment_by_time ON payment (claimed_at, merchant_reference);
        CREATE INDEX IF NOT EXISTS payment_by_card ON payment (card_last_four, claimed_at, merchant_reference)
            WHERE card_last_four IS NOT NULL;
        CREATE INDEX IF NOT EXISTS payment_by_displayed_card
            ON payment (displayed_card_last_four, claimed_at, merchant_reference)
            WHERE displayed_card_last_four IS NOT NULL;
        -- A client's name is indexed only by its beginning, because PostgreSQL's index takes no row beyond some 2,700 bytes.
        CREATE INDEX IF NOT EXISTS payment_by_client ON payment (substr(client, 1, 200), claimed_at, merchant_reference)
            WHERE client IS NOT NULL;
        CREATE INDEX IF NOT EXISTS payment_made_elsewhere ON payment (claimed_at, merchant_reference)
            WHERE fingerprint IS NULL;
        -- Only states in which few payments are.
        CREATE INDEX IF NOT EXISTS payment_by_state ON payment (state, claimed_at, merchant_reference)
            WHERE state NOT IN ('processing', 'captured');
        CREATE INDEX IF NOT EXISTS payment_with_customer_data ON payment (claimed_at, merchant_reference)
            WHERE holds_customer_data = 1;

        -- The history of payments. Entries are only added. The newest entry counts the attempts that were not sent.
        CREATE TABLE IF NOT EXISTS history (
            merchant_reference text COLLATE "C" NOT NULL,
            -- The number of the entry in the payment's history, from 1.
            number bigint NOT NULL,
            at bigint NOT NULL,
            -- The payment's state after the entry, and the total captured and refunded amounts at that time.
            state text NOT NULL,
            captured bigint NOT NULL,
            refunded bigint NOT NULL,
            -- The source of the entry: 'client shop', 'check_status reconciler', ...
            source text,
            -- The kind of the entry: claim, charge, capture, void, refund, elsewhere, taken_back, note, ...
            kind text NOT NULL,
            -- The identifier of the operation that the entry is about, and the operation's state: processing, done, ... Both
            -- are NULL for other kinds. The state is also NULL if the operation was not sent.
            operation text,
            operation_state text,
            -- The reason in words for people, if the state does not say it. No code reads it.
            reason text,
            -- The identifier of the HTTP request that led to the entry.
            request_identifier text,
            -- The name of the operator whose request led to the entry. NULL if no operator made it.
            operator text,
            -- The event for the merchant's backend, as JSON. NULL if there is none.
            event bytea,
            -- The answer to clients about the payment after the entry, as JSON: the bytes of a replay. NULL while there is no
            -- answer, and in earlier entries whose answer a later one replaced.
            receipt bytea,
            -- The part of the gateway's answer that lists show: a JSON object of texts in the gateway's own names. NULL as
            -- above.
            summary bytea,
            -- An operator's note. NULL if there is none, or if it was erased with the customer's data.
            note text,
            -- The number of attempts that the entry counts, and the time of the first one if there are several.
            times bigint NOT NULL,
            since bigint,
            -- The random number of the change that wrote the entry. An instance that lost the connection before it learnt
            -- whether it wrote the change looks for the number.
            change_identifier bigint,
            PRIMARY KEY (merchant_reference, number)
        );
        CREATE INDEX IF NOT EXISTS history_by_event_time ON history (at, merchant_reference) WHERE event IS NOT NULL;
        -- The changes of all payments by time: all changes, operators' changes, and changes that are neither a claim nor about
        -- a charge. No condition has a list of texts, because SQLite makes a table of it for each row.
        CREATE INDEX IF NOT EXISTS history_by_time ON history (at, merchant_reference, number);
        CREATE INDEX IF NOT EXISTS history_by_operator ON history (at, merchant_reference, number)
            WHERE operator IS NOT NULL;
        CREATE INDEX IF NOT EXISTS history_by_kind ON history (kind, at, merchant_reference, number)
            WHERE kind <> 'claim' AND kind <> 'charge';

        -- The idempotency keys in use. R1: each belongs to one request. Requests without a key have no row.
        CREATE TABLE IF NOT EXISTS idempotency_key (
            -- The key, after the name of the client or operator to whom it belongs.
            owned_key text COLLATE "C" PRIMARY KEY NOT NULL,
            -- The payment that was charged with the key, or on which an operation was begun with it.
            merchant_reference text COLLATE "C" NOT NULL,
            -- The identifier of the operation. NULL if the key belongs to the payment's charge.
            operation text
        ) WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS idempotency_key_by_payment ON idempotency_key (merchant_reference);

        -- Movements of money. A movement is written with the change that moved the money, and never changed. The order is by
        -- time, so that a day is a range.
        CREATE TABLE IF NOT EXISTS movement (
            at bigint NOT NULL,
            merchant_reference text COLLATE "C" NOT NULL,
            -- The number of the entry of the history with which it was written.
            entry bigint NOT NULL,
            -- 1: charged, 2: refunded, 3: voided.
            kind bigint NOT NULL,
            -- The payment's account at that time: the reference may be claimed anew for another account.
            account text,
            currency text NOT NULL,
            amount bigint NOT NULL,
            PRIMARY KEY (at, merchant_reference, entry, kind)
        ) WITHOUT ROWID;

        -- Queries to the gateway that changed nothing. A row counts the queries of one requester between two entries of a
        -- history.
        CREATE TABLE IF NOT EXISTS query_without_change (
            merchant_reference text COLLATE "C" NOT NULL,
            -- The number of the entry after which the queries were made.
            entry bigint NOT NULL,
            requester text NOT NULL,
            -- The result of the last query, and the gateway's reason, or the reason why there was no answer.
            answer text NOT NULL,
            reason text,
            first_at bigint NOT NULL,
            last_at bigint NOT NULL,
            times bigint NOT NULL,
            PRIMARY KEY (merchant_reference, entry, requester)
        );

        -- The newest attempts to deliver each event.
        CREATE TABLE IF NOT EXISTS event_delivery (
            merchant_reference text COLLATE "C" NOT NULL,
            -- The number of the entry that has the event.
            entry bigint NOT NULL,
            -- The number of the attempt among all attempts for the event, from 1, however many are kept.
            number bigint NOT NULL,
            -- The end of the lease under which the attempt was made: a repeated write adds no second attempt.
            leased_until bigint NOT NULL,
            at bigint NOT NULL,
            -- The result: acknowledged, refused or unanswered.
            result text NOT NULL,
            -- The backend's address without its query.
            endpoint text NOT NULL,
            -- The HTTP status. NULL if there was no answer. In this case error has the reason.
            status bigint,
            error text,
            milliseconds bigint NOT NULL,
            -- The beginning of the answer. NULL if the payment no longer holds customer data.
            answer text,
            -- The time at which the event was to be sent again. NULL if it was not to be sent again.
            next_at bigint,
            PRIMARY KEY (merchant_reference, entry, number)
        );

        -- Pending work: to query the gateway about an open payment, to deliver an event, or to query the gateway because of a
        -- hint. A row is leased to one instance at a time.
        CREATE TABLE IF NOT EXISTS work (
            -- The kind of work: query, deliver or hint.
            kind text COLLATE "C" NOT NULL,
            merchant_reference text COLLATE "C" NOT NULL,
            -- The account of a hint. Empty for other kinds.
            account text COLLATE "C" NOT NULL,
            -- The name of the gateway to be queried. Empty for events.
            gateway text NOT NULL,
            -- The time from which the work may be leased, or at which its lease expires or a hint's cooldown ends. NULL for
            -- dead-lettered events.
            due_at bigint,
            -- The number of leases so far, which is used for fencing.
            attempt bigint NOT NULL,
            -- The time since which the payment is open or the work waits. NULL for a hint in its cooldown, which only remembers
            -- queries in vain.
            since bigint,
            -- The number of the entry of the history up to which events were acknowledged. 0 for other kinds.
            entry bigint NOT NULL,
            -- The number of the last entry that has an event, or the number of hints since the last query. 0 for queries. Work
            -- ends only if its worker knew all of it. Otherwise the remaining work stays.
            newest bigint NOT NULL,
            -- The content of the hints (`PendingHint.payload`), as JSON. NULL for other kinds.
            payload text,
            PRIMARY KEY (kind, merchant_reference, account)
        ) WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS work_by_due ON work (kind, gateway, due_at, since) WHERE since IS NOT NULL;
        CREATE INDEX IF NOT EXISTS work_by_cooldown ON work (kind, gateway, due_at) WHERE since IS NULL;

        -- The time at which a token for each payment processing certificate was last seen.
        CREATE TABLE IF NOT EXISTS processing_certificate (
            -- SHA-256 of the certificate's public key, base64.
            public_key_hash text PRIMARY KEY NOT NULL,
            -- Days since 1970-01-01, in UTC.
            last_seen_day bigint NOT NULL
        );

        -- The processes that work on this journal.
        CREATE TABLE IF NOT EXISTS instance (
            -- The unique name of the process.
            name text PRIMARY KEY NOT NULL,
            -- The time at which the process last said that it is alive.
            seen_at bigint NOT NULL
        );

        -- S16: rows that are written to test whether a claim would be durable. They have at least as many pages of SQLite's as
        -- a claim changes.
        CREATE TABLE IF NOT EXISTS durability_probe (
            -- The number of the row, from 1.
            page bigint PRIMARY KEY NOT NULL,
            -- The number of times that the row was written.
            times bigint NOT NULL,
            -- A filling that gives each row a page to itself.
            filling text NOT NULL
        );
        """

    private static func probe(_ pages: ClosedRange<Int>) -> String {
        let filling = String(repeating: "-", count: 3_000)
        let rows = pages.map { "(\($0), 0, '\(filling)')" }.joined(separator: ", ")
        return "\nINSERT INTO durability_probe (page, times, filling) VALUES \(rows) ON CONFLICT DO NOTHING;"
    }
}
