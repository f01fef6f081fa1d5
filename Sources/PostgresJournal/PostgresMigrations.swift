/// The tables, version by version. A published migration is never changed; the next one is added, and each can be run
/// again where a database that has no transactions over table definitions stopped half-way.
enum PostgresMigrations {
    static let all = [
        paymentsAndTheirHistory, captureVoidAndRefund, events, aTokenIsItsDigest, durabilityProbe, movements, search,
        certificateUse, historyDetails, hints, countedEntries,
    ]

    // Times are milliseconds since 1970. A token and a key are held by at most one payment, by none that is not_sent.
    // Entries are numbered payment by payment: one sequence for all would be contended by every instance.
    private static let paymentsAndTheirHistory = """
        CREATE TABLE IF NOT EXISTS payment (
            merchant_reference text PRIMARY KEY,
            state text NOT NULL,
            command text NOT NULL,
            amount bigint NOT NULL,
            currency text NOT NULL,
            fingerprint bytea NOT NULL,
            token_digest bytea UNIQUE,
            idempotency_key text UNIQUE,
            apple_transaction_identifier text NOT NULL,
            claimed_at bigint NOT NULL,
            receipt bytea,
            lease_number bigint NOT NULL,
            lease_expires_at bigint NOT NULL,
            entries bigint NOT NULL
        );
        CREATE INDEX IF NOT EXISTS open_payment ON payment (claimed_at) WHERE state IN ('processing', 'uncertain');
        CREATE INDEX IF NOT EXISTS due_payment ON payment (lease_expires_at) WHERE state IN ('processing', 'uncertain');
        CREATE TABLE IF NOT EXISTS history (
            merchant_reference text NOT NULL REFERENCES payment,
            entry bigint NOT NULL,
            at bigint NOT NULL,
            state text NOT NULL,
            reason text,
            request_identifier text,
            PRIMARY KEY (merchant_reference, entry)
        );
        """

    // See RepeatedAttempt.
    private static let countedEntries = """
        ALTER TABLE history ADD COLUMN IF NOT EXISTS times bigint NOT NULL DEFAULT 1;
        ALTER TABLE history ADD COLUMN IF NOT EXISTS since bigint;
        """

    // Operations are JSON, see PaymentOperation. A payment is open from `opened_at` on; a settled one has none.
    private static let captureVoidAndRefund = """
        ALTER TABLE payment ADD COLUMN IF NOT EXISTS account text;
        ALTER TABLE payment ADD COLUMN IF NOT EXISTS client text;
        ALTER TABLE payment ADD COLUMN IF NOT EXISTS holds_customer_data boolean NOT NULL DEFAULT true;
        ALTER TABLE payment ADD COLUMN IF NOT EXISTS captured bigint NOT NULL DEFAULT 0;
        ALTER TABLE payment ADD COLUMN IF NOT EXISTS refunded bigint NOT NULL DEFAULT 0;
        ALTER TABLE payment ADD COLUMN IF NOT EXISTS operations bytea;
        ALTER TABLE payment ADD COLUMN IF NOT EXISTS opened_at bigint;
        ALTER TABLE history ADD COLUMN IF NOT EXISTS captured bigint NOT NULL DEFAULT 0;
        ALTER TABLE history ADD COLUMN IF NOT EXISTS refunded bigint NOT NULL DEFAULT 0;
        UPDATE payment SET captured = amount WHERE state IN ('captured', 'refunded');
        UPDATE payment SET refunded = amount WHERE state = 'refunded';
        UPDATE payment SET opened_at = claimed_at WHERE state IN ('processing', 'uncertain');
        CREATE INDEX IF NOT EXISTS payment_with_customer_data ON payment (claimed_at) WHERE holds_customer_data;
        DROP INDEX IF EXISTS open_payment;
        DROP INDEX IF EXISTS due_payment;
        CREATE INDEX IF NOT EXISTS payment_by_opening ON payment (opened_at) WHERE opened_at IS NOT NULL;
        CREATE INDEX IF NOT EXISTS payment_by_lease ON payment (lease_expires_at) WHERE opened_at IS NOT NULL;
        """

    // See EventOutbox. Something waits since `events_waiting_since`; where it does and nothing is due, the payment is
    // dead-lettered. What happened before has no events.
    private static let events = """
        ALTER TABLE history ADD COLUMN IF NOT EXISTS event bytea;
        ALTER TABLE payment ADD COLUMN IF NOT EXISTS events_last bigint NOT NULL DEFAULT 0;
        ALTER TABLE payment ADD COLUMN IF NOT EXISTS events_told bigint NOT NULL DEFAULT 0;
        ALTER TABLE payment ADD COLUMN IF NOT EXISTS events_attempts bigint NOT NULL DEFAULT 0;
        ALTER TABLE payment ADD COLUMN IF NOT EXISTS events_due_at bigint;
        ALTER TABLE payment ADD COLUMN IF NOT EXISTS events_waiting_since bigint;
        CREATE INDEX IF NOT EXISTS event_by_time ON history (at, merchant_reference) WHERE event IS NOT NULL;
        CREATE INDEX IF NOT EXISTS payment_by_events_due ON payment (events_due_at) WHERE events_due_at IS NOT NULL;
        CREATE INDEX IF NOT EXISTS payment_with_events ON payment (events_waiting_since, events_due_at)
            WHERE events_waiting_since IS NOT NULL;
        """

    // Digests of verified tokens had the signing time before them, so that one token had two identities. Where both pay
    // an order, one of them keeps the token. The constraint keeps an instance of an earlier version, which may still
    // run, from claiming a token by its other identity. A payment that was made elsewhere has an empty fingerprint.
    private static let aTokenIsItsDigest = """
        UPDATE payment SET token_digest = NULL WHERE octet_length(token_digest) = 40 AND EXISTS (
            SELECT 1 FROM payment AS other WHERE other.token_digest = substring(payment.token_digest FROM 9));
        UPDATE payment SET token_digest = NULL FROM (
            SELECT merchant_reference, row_number() OVER (
                PARTITION BY substring(token_digest FROM 9) ORDER BY claimed_at, merchant_reference) AS place
            FROM payment WHERE octet_length(token_digest) = 40) AS claim
        WHERE payment.merchant_reference = claim.merchant_reference AND claim.place > 1;
        UPDATE payment SET token_digest = substring(token_digest FROM 9) WHERE octet_length(token_digest) = 40;
        ALTER TABLE payment DROP CONSTRAINT IF EXISTS token_digest_is_sha256;
        ALTER TABLE payment ADD CONSTRAINT token_digest_is_sha256 CHECK (octet_length(token_digest) = 32);
        """

    // See PostgresJournal.checkDurability.
    private static let durabilityProbe = """
        CREATE TABLE IF NOT EXISTS durability_probe (one bigint PRIMARY KEY, times bigint NOT NULL);
        INSERT INTO durability_probe (one, times) VALUES (1, 0) ON CONFLICT DO NOTHING;
        """
}

extension PostgresConnection {
    /// Brings the tables to the newest version. Any number of instances may do so at once: the row that holds the
    /// version is locked by the one that works, and the others find the work done.
    func migrate() throws(PostgresError) {
        let session = try connect()
        let deadline = ContinuousClock.now + Self.migrationTimeout
        func run(_ script: String) throws(PostgresError) -> PostgresAnswer {
            try session.run(script: script, until: deadline)
        }
        _ = try run("SET statement_timeout = \(Self.migrationTimeout.components.seconds * 1_000)")
        _ = try run("CREATE TABLE IF NOT EXISTS payrelay_tables (one bigint PRIMARY KEY, version bigint NOT NULL)")
        _ = try run("INSERT INTO payrelay_tables (one, version) VALUES (1, 0) ON CONFLICT DO NOTHING")
        _ = try run("BEGIN")
        let row = try run("SELECT version FROM payrelay_tables WHERE one = 1 FOR UPDATE").rows.first
        guard let text = try? row?.text("version"), let version = Int(text) else {
            throw .unexpectedValue(column: "version")
        }
        let migrations = PostgresMigrations.all
        guard version <= migrations.count else { throw .newerTables(version: version, known: migrations.count) }
        for migration in migrations.dropFirst(version) {
            _ = try run(migration)
            if migration == PostgresMigrations.search { try session.fillSearchKeys(until: deadline) }
        }
        _ = try run("UPDATE payrelay_tables SET version = \(migrations.count) WHERE one = 1")
        _ = try run("COMMIT")
    }

    /// For all of them, the wait for another instance included. One of them writes every payment's row.
    private static let migrationTimeout = Duration.seconds(600)
}

extension PostgresError {
    /// Whether two instances made the same table at once: `IF NOT EXISTS` does not keep the second from failing.
    var metAnotherMigration: Bool {
        gaveWay || violatedUniqueness || sqlState == "42P07" || sqlState == "42710"
    }
}
