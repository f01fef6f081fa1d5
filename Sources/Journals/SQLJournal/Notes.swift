public import PaymentRelay
import PayrelayPrimitives

/// Records that no payment's state depends on: queries that changed nothing, and the days on which certificates
/// were last used.
extension SQLJournal {
    public func record(_ query: QueryWithoutChange, of merchantReference: String) async throws(JournalError) {
        _ = try await write(
            .recordQuery, .recordQuery,
            [
                .text(merchantReference), .integer(query.afterEntry), .text(query.requester.text),
                .text(query.answer.rawValue), .text(query.reason), .moment(query.first), .moment(query.last),
                .integer(query.times),
            ])
    }

    public func queriesWithoutChange(
        of merchantReferences: [String]
    ) async throws(JournalError) -> [String: [QueryWithoutChange]] {
        guard !merchantReferences.isEmpty else { return [:] }
        let rows = try await read(
            .queriesWithoutChange, .queriesWithoutChange(merchantReferences.count),
            merchantReferences.map { .text($0) })
        return Dictionary(grouping: rows, by: \.reference)
            .mapValues { $0.compactMap { try? QueryWithoutChange(row: $0) } }
    }

    public func recordCertificateUse(_ use: CertificateUse) async throws(JournalError) {
        _ = try await write(
            .recordCertificateUse, .recordCertificateUse,
            [.text(use.publicKeyHash.text), .integer(use.lastSeen.daysSince1970)])
    }

    public func certificateUse() async throws(JournalError) -> [CertificateUse] {
        try await read(.certificateUse, .certificateUse).compactMap { row in
            guard let hash = (try? row.text("public_key_hash")).flatMap({ try? Base64Text($0) }),
                hash.bytes.count == 32,
                let day = (try? row.integer("last_seen_day")).flatMap({ CalendarDay(daysSince1970: $0) })
            else { return nil }
            return CertificateUse(publicKeyHash: hash, lastSeen: day)
        }
    }
}

extension QueryWithoutChange {
    fileprivate init(row: Row) throws(UnreadableRecord) {
        self.init(
            afterEntry: try row.integer("entry"),
            requester: try row.required("requester", StatusRequester(text: row.text("requester"))),
            answer: try row.required("answer", Answer(rawValue: row.text("answer"))),
            reason: try row.optionalText("reason"), first: try row.moment("first_at"), last: try row.moment("last_at"),
            times: try row.count("times", from: 1))
    }
}

extension Statement {
    /// Adds a query after an entry that exists. A count beyond the limit is left as it is. Of the other requesters,
    /// the newest are kept, one less than the maximum.
    fileprivate static let recordQuery = Statement(
        "record_query", isGuarded: false,
        """
        DELETE FROM query_without_change WHERE merchant_reference = $1 AND entry = $2 AND requester <> $3 AND requester NOT IN (
            SELECT requester FROM query_without_change WHERE merchant_reference = $1 AND entry = $2 AND requester <> $3
            ORDER BY last_at DESC, requester LIMIT \(QueryWithoutChange.requestersKept - 1))
        """,
        [
            """
            INSERT INTO query_without_change (merchant_reference, entry, requester, answer, reason, first_at, last_at, times)
            SELECT merchant_reference, number, $3, $4, $5, $6, $7, $8 FROM history WHERE merchant_reference = $1 AND number = $2
            ON CONFLICT (merchant_reference, entry, requester) DO UPDATE SET answer = excluded.answer,
                reason = excluded.reason, last_at = excluded.last_at,
                times = CASE WHEN query_without_change.times < \(Row.countLimit)
                    THEN query_without_change.times + excluded.times ELSE query_without_change.times END
            """
        ])

    /// - Parameter count: the number of payments.
    fileprivate static func queriesWithoutChange(_ count: Int) -> Statement {
        Statement(
            count == 1 ? "queries_without_change" : nil, isRepeatable: true,
            """
            SELECT * FROM query_without_change WHERE merchant_reference IN (\(parameters(count)))
            ORDER BY entry, first_at, requester
            """)
    }

    fileprivate static let recordCertificateUse = Statement(
        "record_certificate_use", isRepeatable: true,
        """
        INSERT INTO processing_certificate (public_key_hash, last_seen_day) VALUES ($1, $2)
        ON CONFLICT (public_key_hash) DO UPDATE SET last_seen_day = CASE
            WHEN processing_certificate.last_seen_day < excluded.last_seen_day THEN excluded.last_seen_day
            ELSE processing_certificate.last_seen_day END
        """)

    fileprivate static let certificateUse = Statement(
        "certificate_use", isRepeatable: true,
        """
        SELECT public_key_hash, last_seen_day FROM processing_certificate
        ORDER BY last_seen_day DESC, public_key_hash LIMIT \(CertificateUse.limit)
        """)
}
