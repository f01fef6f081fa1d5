import GRDB

/// The tables, version by version. A published migration is never changed; the next one is added.
enum JournalMigrations {
    static var all: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 payments and their history") { database in
            // Times are milliseconds since 1970. A token and a key are held by at most one payment, by none that is
            // not_sent.
            try database.execute(
                sql: """
                    CREATE TABLE payment (
                        merchant_reference TEXT PRIMARY KEY NOT NULL,
                        state TEXT NOT NULL,
                        command TEXT NOT NULL,
                        amount INTEGER NOT NULL,
                        currency TEXT NOT NULL,
                        fingerprint BLOB NOT NULL,
                        token_digest BLOB UNIQUE,
                        idempotency_key TEXT UNIQUE,
                        apple_transaction_identifier TEXT NOT NULL,
                        claimed_at INTEGER NOT NULL,
                        receipt BLOB
                    ) STRICT;
                    CREATE INDEX open_payment ON payment (claimed_at) WHERE state IN ('processing', 'uncertain');
                    CREATE TABLE history (
                        entry INTEGER PRIMARY KEY,
                        merchant_reference TEXT NOT NULL REFERENCES payment,
                        at INTEGER NOT NULL,
                        state TEXT NOT NULL,
                        reason TEXT,
                        request_identifier TEXT
                    ) STRICT;
                    CREATE INDEX history_of_payment ON history (merchant_reference, entry);
                    """)
        }
        migrator.registerMigration("2 leases") { database in
            try database.execute(
                sql: """
                    ALTER TABLE payment ADD COLUMN lease_number INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE payment ADD COLUMN lease_expires_at INTEGER NOT NULL DEFAULT 0;
                    CREATE INDEX due_payment ON payment (lease_expires_at) WHERE state IN ('processing', 'uncertain');
                    """)
        }
        migrator.registerMigration("3 capture, void and refund") { database in
            // Operations are JSON, see PaymentOperation. A payment is open from `opened_at` on; a settled one has none.
            try database.execute(
                sql: """
                    ALTER TABLE payment ADD COLUMN account TEXT;
                    ALTER TABLE payment ADD COLUMN client TEXT;
                    ALTER TABLE payment ADD COLUMN holds_customer_data INTEGER NOT NULL DEFAULT 1;
                    ALTER TABLE payment ADD COLUMN captured INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE payment ADD COLUMN refunded INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE payment ADD COLUMN operations BLOB;
                    ALTER TABLE payment ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
                    ALTER TABLE payment ADD COLUMN opened_at INTEGER;
                    ALTER TABLE history ADD COLUMN captured INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE history ADD COLUMN refunded INTEGER NOT NULL DEFAULT 0;
                    UPDATE payment SET captured = amount WHERE state IN ('captured', 'refunded');
                    UPDATE payment SET refunded = amount WHERE state = 'refunded';
                    UPDATE payment SET opened_at = claimed_at WHERE state IN ('processing', 'uncertain');
                    UPDATE payment SET version =
                        (SELECT count(*) FROM history WHERE history.merchant_reference = payment.merchant_reference);
                    CREATE INDEX payment_with_customer_data ON payment (claimed_at) WHERE holds_customer_data;
                    DROP INDEX open_payment;
                    DROP INDEX due_payment;
                    CREATE INDEX open_payment ON payment (opened_at) WHERE opened_at IS NOT NULL;
                    CREATE INDEX due_payment ON payment (lease_expires_at) WHERE opened_at IS NOT NULL;
                    """)
        }
        migrator.registerMigration("4 events") { database in
            // See EventOutbox. Entries are counted payment by payment, from 1. Something waits since
            // `events_waiting_since`; where it does and nothing is due, the payment is dead-lettered. What happened
            // before has no events.
            try database.execute(
                sql: """
                    ALTER TABLE history ADD COLUMN event BLOB;
                    ALTER TABLE payment ADD COLUMN events_last INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE payment ADD COLUMN events_told INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE payment ADD COLUMN events_attempts INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE payment ADD COLUMN events_due_at INTEGER;
                    ALTER TABLE payment ADD COLUMN events_waiting_since INTEGER;
                    CREATE INDEX event_by_time ON history (at, merchant_reference) WHERE event IS NOT NULL;
                    CREATE INDEX payment_by_events_due ON payment (events_due_at) WHERE events_due_at IS NOT NULL;
                    CREATE INDEX payment_with_events ON payment (events_waiting_since, events_due_at)
                        WHERE events_waiting_since IS NOT NULL;
                    """)
        }
        migrator.registerMigration("5 receipts in the history") { database in
            // What a payment costs is the pages that it changes. A row that grows when its payment settles moves its
            // neighbours to other pages, and the history grows at its end alone: a payment's receipt is that of its
            // last entry. Of the indexes, none holds what is not there, and the open payments are in one.
            try database.execute(
                sql: """
                    ALTER TABLE history ADD COLUMN receipt BLOB;
                    UPDATE history SET receipt =
                            (SELECT receipt FROM payment WHERE payment.merchant_reference = history.merchant_reference)
                        WHERE entry IN (SELECT max(entry) FROM history GROUP BY merchant_reference);
                    CREATE TABLE new_payment (
                        merchant_reference TEXT PRIMARY KEY NOT NULL,
                        state TEXT NOT NULL,
                        command TEXT NOT NULL,
                        amount INTEGER NOT NULL,
                        currency TEXT NOT NULL,
                        fingerprint BLOB NOT NULL,
                        token_digest BLOB,
                        idempotency_key TEXT,
                        apple_transaction_identifier TEXT NOT NULL,
                        claimed_at INTEGER NOT NULL,
                        lease_number INTEGER NOT NULL DEFAULT 0,
                        lease_expires_at INTEGER NOT NULL DEFAULT 0,
                        account TEXT,
                        client TEXT,
                        holds_customer_data INTEGER NOT NULL DEFAULT 1,
                        captured INTEGER NOT NULL DEFAULT 0,
                        refunded INTEGER NOT NULL DEFAULT 0,
                        operations BLOB,
                        version INTEGER NOT NULL DEFAULT 1,
                        opened_at INTEGER,
                        events_last INTEGER NOT NULL DEFAULT 0,
                        events_told INTEGER NOT NULL DEFAULT 0,
                        events_attempts INTEGER NOT NULL DEFAULT 0,
                        events_due_at INTEGER,
                        events_waiting_since INTEGER
                    ) STRICT;
                    INSERT INTO new_payment SELECT merchant_reference, state, command, amount, currency, fingerprint,
                        token_digest, idempotency_key, apple_transaction_identifier, claimed_at, lease_number,
                        lease_expires_at, account, client, holds_customer_data, captured, refunded, operations, version,
                        opened_at, events_last, events_told, events_attempts, events_due_at, events_waiting_since
                        FROM payment ORDER BY rowid;
                    DROP TABLE payment;
                    ALTER TABLE new_payment RENAME TO payment;
                    CREATE UNIQUE INDEX payment_of_token ON payment (token_digest) WHERE token_digest IS NOT NULL;
                    CREATE UNIQUE INDEX payment_of_idempotency_key ON payment (idempotency_key)
                        WHERE idempotency_key IS NOT NULL;
                    CREATE INDEX open_payment ON payment (lease_expires_at, opened_at) WHERE opened_at IS NOT NULL;
                    CREATE INDEX payment_with_customer_data ON payment (claimed_at) WHERE holds_customer_data;
                    CREATE INDEX payment_by_events_due ON payment (events_due_at) WHERE events_due_at IS NOT NULL;
                    CREATE INDEX payment_with_events ON payment (events_waiting_since, events_due_at)
                        WHERE events_waiting_since IS NOT NULL;
                    """)
        }
        migrator.registerMigration("6 a token is its digest") { database in
            // Digests of verified tokens had the signing time before them, so that one token had two identities. Where
            // both pay an order, the first claim keeps the token. A payment that was made elsewhere has an empty
            // fingerprint.
            try database.execute(
                sql: """
                    DROP INDEX payment_of_token;
                    UPDATE payment SET token_digest = substr(token_digest, 9) WHERE length(token_digest) = 40;
                    UPDATE payment SET token_digest = NULL WHERE rowid IN (
                        SELECT rowid FROM (SELECT rowid, row_number() OVER (
                            PARTITION BY token_digest ORDER BY claimed_at, rowid) AS place
                            FROM payment WHERE token_digest IS NOT NULL) WHERE place > 1);
                    CREATE UNIQUE INDEX payment_of_token ON payment (token_digest) WHERE token_digest IS NOT NULL;
                    """)
        }
        migrator.registerMigration("7 durability probe") { database in
            // See SQLiteJournal.checkDurability. A page each, as many as a claim changes at most: where there is room
            // for less, a claim would fail.
            try database.execute(
                sql: """
                    CREATE TABLE durability_probe (
                        page INTEGER PRIMARY KEY,
                        times INTEGER NOT NULL,
                        filling BLOB NOT NULL
                    ) STRICT;
                    WITH RECURSIVE number (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM number LIMIT 16)
                        INSERT INTO durability_probe SELECT value, 0, zeroblob(3000) FROM number;
                    """)
        }
        migrator.registerMigration("8 entries") { database in
            // The column has its name in PostgreSQL's tables too: how many entries the payment's history has.
            try database.execute(sql: "ALTER TABLE payment RENAME COLUMN version TO entries")
        }
        migrator.registerMigration("9 movements") { try $0.makeMovements() }
        migrator.registerMigration("10 search") { try addSearch(to: $0) }
        migrator.registerMigration("11 use of certificates", migrate: addCertificateUse)
        migrator.registerMigration("12 sources, questions and deliveries", migrate: addHistoryDetails)
        migrator.registerMigration("13 hints", migrate: addHints)
        migrator.registerMigration("14 numbered and counted entries") { database in
            // An entry's number is what the payment's `entries` became with it.
            try database.execute(
                sql: """
                    ALTER TABLE history ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE history ADD COLUMN times INTEGER NOT NULL DEFAULT 1;
                    ALTER TABLE history ADD COLUMN since INTEGER;
                    UPDATE history SET number = numbered.number FROM (
                        SELECT entry, row_number() OVER (PARTITION BY merchant_reference ORDER BY entry) AS number FROM history
                    ) AS numbered WHERE numbered.entry = history.entry;
                    """)
        }
        return migrator
    }
}
