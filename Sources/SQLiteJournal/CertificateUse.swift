import GRDB
public import PaymentRelay
import PayrelayPrimitives

extension SQLiteJournal {
    public func recordCertificateUse(_ use: CertificateUse) async throws(JournalError) {
        try await write { try $0.recordCertificateUse(use) }
    }

    public func certificateUse() async throws(JournalError) -> [CertificateUse] {
        try await read { try $0.certificateUse() }
    }
}

extension JournalMigrations {
    /// See ``CertificateUseLog``. Days are counted from 1970-01-01, in UTC.
    static func addCertificateUse(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE processing_certificate (
                    public_key_hash TEXT PRIMARY KEY NOT NULL,
                    last_seen_day INTEGER NOT NULL
                ) STRICT;
                """)
    }
}

extension Database {
    fileprivate func recordCertificateUse(_ use: CertificateUse) throws {
        let statement = try cachedStatement(
            sql: """
                INSERT INTO processing_certificate (public_key_hash, last_seen_day) VALUES (:hash, :day)
                ON CONFLICT (public_key_hash) DO UPDATE SET last_seen_day = max(last_seen_day, excluded.last_seen_day)
                """)
        try statement.execute(arguments: ["hash": use.publicKeyHash.text, "day": use.lastSeen.daysSince1970])
    }

    fileprivate func certificateUse() throws -> [CertificateUse] {
        let statement = try cachedStatement(
            sql: """
                SELECT public_key_hash, last_seen_day FROM processing_certificate
                ORDER BY last_seen_day DESC, public_key_hash LIMIT \(CertificateUse.limit)
                """)
        return try Row.fetchAll(statement).compactMap { row in
            let columns = StrictColumns(row)
            guard let hash = try? columns.text("public_key_hash"), let day = try? columns.integer("last_seen_day")
            else { return nil }
            return CertificateUse(publicKeyHash: hash, lastSeenDay: day)
        }
    }
}
