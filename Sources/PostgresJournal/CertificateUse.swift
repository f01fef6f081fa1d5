public import PaymentRelay
import PayrelayPrimitives

extension PostgresJournal {
    public func recordCertificateUse(_ use: CertificateUse) async throws(JournalError) {
        _ = try await run(.recordCertificateUse, [.text(use.publicKeyHash.text), .integer(use.lastSeen.daysSince1970)])
    }

    public func certificateUse() async throws(JournalError) -> [CertificateUse] {
        try await run(.certificateUse, []).rows.compactMap { row in
            guard let hash = try? row.text("public_key_hash"), let day = try? row.integer("last_seen_day") else {
                return nil
            }
            return CertificateUse(publicKeyHash: hash, lastSeenDay: day)
        }
    }
}

extension PostgresMigrations {
    // See CertificateUseLog. Days are counted from 1970-01-01, in UTC.
    static let certificateUse = """
        CREATE TABLE IF NOT EXISTS processing_certificate (
            public_key_hash text PRIMARY KEY,
            last_seen_day bigint NOT NULL
        );
        """
}

extension PostgresStatement {
    fileprivate static let recordCertificateUse = PostgresStatement(
        "record_certificate_use", isRepeatable: true,
        """
        INSERT INTO processing_certificate (public_key_hash, last_seen_day) VALUES ($1, $2)
        ON CONFLICT (public_key_hash) DO UPDATE
        SET last_seen_day = greatest(processing_certificate.last_seen_day, excluded.last_seen_day)
        """)

    fileprivate static let certificateUse = PostgresStatement(
        "certificate_use", isRepeatable: true,
        """
        SELECT public_key_hash, last_seen_day FROM processing_certificate
        ORDER BY last_seen_day DESC, public_key_hash LIMIT \(CertificateUse.limit)
        """)
}
