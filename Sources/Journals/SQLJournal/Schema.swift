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
        -- Times are milliseconds since 1970, at most until the end of the year 9999. Amounts are in minor units of the payment's
        -- currency. Truths are 1 and 0. Texts are UTF-8 without the character NUL, compared by their bytes.

        -- A payment: one row for each order, by the merchant's reference.
        CREATE TABLE IF NOT EXISTS payment (
            -- The merchant's name for the order. R1, R2: it belongs to one request.
            merchant_reference text COLLATE "C" PRIMARY KEY NOT NULL,
            -- processing, uncertain, authorized, captured, ...: the outcome that clients are answered.
            state text NOT NULL,
            -- PURCHASE or AUTHORIZATION.
            command text NOT NULL,
            -- What is charged, or held.
            amount bigint NOT NULL,
            -- ISO 4217, alphabetic.
            currency text NOT NULL,
            -- SHA-256 that tells the same request, sent again, from another one. NULL: no request to this service made the payment.
            fingerprint bytea,
            -- SHA-256 of what Apple signed. While it is there, R13: the token pays this order alone. NULL: none was sent here, or nothing
            -- was sent with it.
            token_digest bytea,
            -- Apple's header.transactionId, hex in lower case. NULL where no token came here.
            apple_transaction_identifier text,
            -- When the order was claimed, or first recorded where it was made elsewhere.
            claimed_at bigint NOT NULL,
            -- The name of the gateway that charged it.
            gateway text NOT NULL,
            -- The merchant's name of the account at the gateway. NULL where none is named.
            account text,
            -- The gateway's identifier of the merchant whose account it is: requests about the payment go to this merchant alone. NULL
            -- where it is not known; then the name of the account decides.
            merchant_identifier text,
            -- The authenticated client that made it. NULL where clients are not authenticated, and where it was made elsewhere.
            client text,
            -- What was captured in all.
            captured bigint NOT NULL,
            -- What was refunded in all.
            refunded bigint NOT NULL,
            -- Captures, voids and refunds, as a JSON array, oldest first. NULL for none.
            operations bytea,
            -- The gateway's own number of the charge. NULL while none is known.
            gateway_reference text,
            -- The last four digits of the card. NULL where they are not known, or were erased with the customer's data.
            card_last_four text,
            -- The last four digits of the card as the customer's phone names it. NULL as above.
            displayed_card_last_four text,
            -- Who pays, and with which card, as the order and the token say it: a JSON object. NULL where nothing is known, and where it
            -- was erased with the customer's data.
            customer bytea,
            -- SHA-256 of the customer's email, phone number and name, as `EmailDigest`, `PhoneDigest` and `NameDigest` read them. NULL
            -- as above.
            email_digest bytea,
            phone_digest bytea,
            name_digest bytea,
            -- Whether receipts and events may still hold the customer's data.
            holds_customer_data bigint NOT NULL,
            -- Optimistic lock: the number of the last entry of its history.
            version bigint NOT NULL,
            -- The operator who works on it, by name, and since when. NULL where none does.
            taken_by text,
            taken_at bigint,
            -- Up to which entry its history is in the archive of the month in which it was claimed, with its answers, operations and all
            -- but this row and its movements. NULL where all of it is here.
            archived bigint
        );
        -- R13: a token is known by what `Change.tokenIdentifier` says.
        CREATE UNIQUE INDEX IF NOT EXISTS payment_by_token ON payment (substr(apple_transaction_identifier, 1, 64))
            WHERE token_digest IS NOT NULL;
        CREATE INDEX IF NOT EXISTS payment_by_other_identifier ON payment (substr(apple_transaction_identifier, 1, 64))
            WHERE token_digest IS NULL AND apple_transaction_identifier IS NOT NULL;
        -- For beginnings of references as people type them: the ASCII letters of both cases are one.
        CREATE INDEX IF NOT EXISTS payment_by_lowercase_reference ON payment (lower(merchant_reference));
        CREATE INDEX IF NOT EXISTS payment_by_gateway_reference ON payment (gateway_reference)
            WHERE gateway_reference IS NOT NULL;
        CREATE INDEX IF NOT EXISTS payment_by_email ON payment (email_digest, claimed_at) WHERE email_digest IS NOT NULL;
        CREATE INDEX IF NOT EXISTS payment_by_phone ON payment (phone_digest, claimed_at) WHERE phone_digest IS NOT NULL;
        CREATE INDEX IF NOT EXISTS payment_by_name ON payment (name_digest, claimed_at) WHERE name_digest IS NOT NULL;
        -- Those of the lists are in the order of their pages.
        CREATE INDEX IF NOT EXISTS payment_by_time ON payment (claimed_at, merchant_reference);
        CREATE INDEX IF NOT EXISTS payment_by_card ON payment (card_last_four, claimed_at, merchant_reference)
            WHERE card_last_four IS NOT NULL;
        CREATE INDEX IF NOT EXISTS payment_by_displayed_card
            ON payment (displayed_card_last_four, claimed_at, merchant_reference)
            WHERE displayed_card_last_four IS NOT NULL;
        -- Of a text that others chose, its beginning: PostgreSQL's index takes no row beyond some 2,700 bytes.
        CREATE INDEX IF NOT EXISTS payment_by_client ON payment (substr(client, 1, 200), claimed_at, merchant_reference)
            WHERE client IS NOT NULL;
        CREATE INDEX IF NOT EXISTS payment_made_elsewhere ON payment (claimed_at, merchant_reference)
            WHERE fingerprint IS NULL;
        -- Of the states that few payments are in.
        CREATE INDEX IF NOT EXISTS payment_by_state ON payment (state, claimed_at, merchant_reference)
            WHERE state NOT IN ('processing', 'captured');
        CREATE INDEX IF NOT EXISTS payment_with_customer_data ON payment (claimed_at, merchant_reference)
            WHERE holds_customer_data = 1;

        -- What happened to a payment. Entries are added; those of attempts that were not sent are counted in the newest.
        CREATE TABLE IF NOT EXISTS history (
            merchant_reference text COLLATE "C" NOT NULL,
            -- Which of the payment's entries it is, from 1.
            number bigint NOT NULL,
            at bigint NOT NULL,
            -- The payment's state after it, and what was then captured and refunded in all.
            state text NOT NULL,
            captured bigint NOT NULL,
            refunded bigint NOT NULL,
            -- Who or what it comes from: 'client shop', 'check_status reconciler', ...
            source text,
            -- What it records: claim, charge, capture, void, refund, elsewhere, taken_back, note, ...
            kind text NOT NULL,
            -- The identifier of the operation that it is about, and what the operation came to: processing, done, ... NULL for every other
            -- kind. The state is NULL, too, where nothing of the operation was sent.
            operation text,
            operation_state text,
            -- Why, in words for people, where the state does not say it. No code reads it.
            reason text,
            -- Of the HTTP request in whose course it happened.
            request_identifier text,
            -- The operator in whose request it happened, by name. NULL where no operator made it.
            operator text,
            -- The event for the merchant's backend, as JSON. NULL where there is none.
            event bytea,
            -- What clients are answered about the payment after it, as JSON: the bytes of a replay. NULL while there is no answer, and
            -- in earlier entries where a later one took its place.
            receipt bytea,
            -- What lists show of the gateway's answer after it: a JSON object of texts in the gateway's own names. NULL as above.
            summary bytea,
            -- What an operator wrote. NULL where nothing is, and where it was erased with the customer's data.
            note text,
            -- How many attempts it stands for, and when the first of them was, where they are several.
            times bigint NOT NULL,
            since bigint,
            -- The random number of the change that the entry was written with: an instance that lost the connection before it learnt
            -- whether it wrote the change looks for the number.
            change_identifier bigint,
            PRIMARY KEY (merchant_reference, number)
        );
        CREATE INDEX IF NOT EXISTS history_by_event_time ON history (at, merchant_reference) WHERE event IS NOT NULL;
        -- What changed, by time: everything, what operators asked for, and what is neither a claim nor about a charge. No condition has a
        -- list of texts: SQLite makes a table of it for each row.
        CREATE INDEX IF NOT EXISTS history_by_time ON history (at, merchant_reference, number);
        CREATE INDEX IF NOT EXISTS history_by_operator ON history (at, merchant_reference, number)
            WHERE operator IS NOT NULL;
        CREATE INDEX IF NOT EXISTS history_by_kind ON history (kind, at, merchant_reference, number)
            WHERE kind <> 'claim' AND kind <> 'charge';

        -- Idempotency keys that are in use: R1, each belongs to one request. Other requests have no row.
        CREATE TABLE IF NOT EXISTS idempotency_key (
            -- The key, after the name of the client or the operator that it is of.
            owned_key text COLLATE "C" PRIMARY KEY NOT NULL,
            -- The payment that was charged with it, or on which an operation was begun with it.
            merchant_reference text COLLATE "C" NOT NULL,
            -- The identifier of the operation. NULL: the key is of the payment's charge.
            operation text
        ) WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS idempotency_key_by_payment ON idempotency_key (merchant_reference);

        -- Movements of money: written with the change that moved it, and never changed. By time, so that a day is a range.
        CREATE TABLE IF NOT EXISTS movement (
            at bigint NOT NULL,
            merchant_reference text COLLATE "C" NOT NULL,
            -- The entry of the history that it was written with.
            entry bigint NOT NULL,
            -- 1: charged, 2: refunded, 3: voided.
            kind bigint NOT NULL,
            -- The payment's at that time: its reference may be claimed anew for another account.
            account text,
            currency text NOT NULL,
            amount bigint NOT NULL,
            PRIMARY KEY (at, merchant_reference, entry, kind)
        ) WITHOUT ROWID;

        -- Questions to the gateway that changed nothing, counted: those of one requester between two entries of a history.
        CREATE TABLE IF NOT EXISTS query_without_change (
            merchant_reference text COLLATE "C" NOT NULL,
            -- The entry that they came after.
            entry bigint NOT NULL,
            requester text NOT NULL,
            -- What came of the last of them, and what the gateway said, or why there was no answer.
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
            -- The entry that has the event.
            entry bigint NOT NULL,
            -- Of all attempts at the event, from 1, however many are kept.
            number bigint NOT NULL,
            -- The end of the lease under which it was made: a write that is repeated adds no second attempt.
            leased_until bigint NOT NULL,
            at bigint NOT NULL,
            -- acknowledged, refused or unanswered.
            result text NOT NULL,
            -- The backend's address without its query.
            endpoint text NOT NULL,
            -- HTTP's. NULL where there was no answer, and error says why.
            status bigint,
            error text,
            milliseconds bigint NOT NULL,
            -- How the answer begins. NULL where the payment holds no customer data any more.
            answer text,
            -- When the event was to be sent again. NULL where it was not.
            next_at bigint,
            PRIMARY KEY (merchant_reference, entry, number)
        );

        -- Work that is to be done: the gateway is to be queried about an open payment, an event is to be delivered, or the gateway is to be
        -- queried because of a hint. A row is leased to one instance at a time.
        CREATE TABLE IF NOT EXISTS work (
            -- query, deliver or hint.
            kind text COLLATE "C" NOT NULL,
            merchant_reference text COLLATE "C" NOT NULL,
            -- The account of a hint. Empty for other kinds.
            account text COLLATE "C" NOT NULL,
            -- The name of the gateway that is to be queried. Empty for events.
            gateway text NOT NULL,
            -- When it may be leased, when its lease expires, or when a hint's cooldown ends. NULL for events that are dead-lettered.
            due_at bigint,
            -- How often it was leased: fencing.
            attempt bigint NOT NULL,
            -- Since when something is open, or waits. NULL for a hint's row in cooldown, which remembers queries in vain.
            since bigint,
            -- Up to which entry of the history events were acknowledged. 0 for other kinds.
            entry bigint NOT NULL,
            -- The last entry that has an event, or how many hints came since the last query. 0 for queries. Whoever ends the work knows all
            -- of it, or the rest of it stays.
            newest bigint NOT NULL,
            -- What the hints say (`PendingHint.payload`), as JSON. NULL for other kinds.
            payload text,
            PRIMARY KEY (kind, merchant_reference, account)
        ) WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS work_by_due ON work (kind, gateway, due_at, since) WHERE since IS NOT NULL;
        CREATE INDEX IF NOT EXISTS work_by_cooldown ON work (kind, gateway, due_at) WHERE since IS NULL;

        -- When a token for a payment processing certificate was last seen.
        CREATE TABLE IF NOT EXISTS processing_certificate (
            -- SHA-256 of the certificate's public key, base64.
            public_key_hash text PRIMARY KEY NOT NULL,
            -- Days since 1970-01-01, in UTC.
            last_seen_day bigint NOT NULL
        );

        -- The processes that work on this journal.
        CREATE TABLE IF NOT EXISTS instance (
            -- Each one's own, and no other's.
            name text PRIMARY KEY NOT NULL,
            -- When it last said that it is alive.
            seen_at bigint NOT NULL
        );

        -- S16: rows that are written to see whether a claim would be durable: as many pages of SQLite's as a claim changes at most.
        CREATE TABLE IF NOT EXISTS durability_probe (
            -- The number of the row, from 1.
            page bigint PRIMARY KEY NOT NULL,
            -- How often it was written.
            times bigint NOT NULL,
            -- So that each row has a page of its own.
            filling text NOT NULL
        );
        """

    private static func probe(_ pages: ClosedRange<Int>) -> String {
        let filling = String(repeating: "-", count: 3_000)
        let rows = pages.map { "(\($0), 0, '\(filling)')" }.joined(separator: ", ")
        return "\nINSERT INTO durability_probe (page, times, filling) VALUES \(rows) ON CONFLICT DO NOTHING;"
    }
}
