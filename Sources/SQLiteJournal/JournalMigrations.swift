import GRDB

/// The tables, version by version. A published migration is never changed; the next one is added.
enum JournalMigrations {
    static var all: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 payments and their history") { database in
            // Times are milliseconds since 1970. A token and a key are held by at most one payment, by none that is not_sent.
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
        return migrator
    }
}
