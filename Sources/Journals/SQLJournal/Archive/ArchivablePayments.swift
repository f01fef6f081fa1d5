import PaymentRelay

/// A payment that can leave the journal, because nothing needs its whole record any more.
struct ArchivablePayment: Sendable, Equatable {
    let merchantReference: String
    /// The version that was found. If the payment has changed since, it stays.
    let version: Int
    let month: ArchiveMonth
}

/// A page of archivable payments.
struct ArchivablePage: Sendable {
    /// The place of an entry in the order of time.
    struct Place: Sendable {
        var at = -1
        var merchantReference = ""
        var number = 0
    }

    var payments: [ArchivablePayment] = []
    /// The end of this page, after which the next one begins; `nil` if this page is the last.
    var next: Place?
}

extension SQLJournal {
    /// Returns the archivable payments among a bounded number of history entries, in the order of their time.
    /// Archived payments have no entries left in the journal. So the cost of a run depends on the payments that it
    /// moves and those that must stay, not on earlier runs, and no index is needed.
    ///
    /// - Parameter moment: payments that changed then or later stay.
    func archivable(
        before moment: EpochMilliseconds, after place: ArchivablePage.Place
    ) async throws(JournalError) -> ArchivablePage {
        let rows = try await read(
            .archive, .archivable,
            [
                .integer(place.at), .text(place.merchantReference), .integer(place.number),
                .integer(moment.milliseconds),
            ])
        return try reading { () throws(UnreadableRecord) in
            var page = ArchivablePage()
            for row in rows where row["claimed_at"] != .null {
                page.payments.append(
                    ArchivablePayment(
                        merchantReference: row.reference, version: try row.integer("number"),
                        month: ArchiveMonth(of: try row.moment("claimed_at"))))
            }
            if rows.count == Statement.archivableAtMost, let last = rows.last {
                let at = try last.integer("at")
                // After a reference that cannot be read, the other entries of its moment are left for another run.
                page.next =
                    last.reference.isEmpty
                    ? ArchivablePage.Place(at: at + 1)
                    : ArchivablePage.Place(
                        at: at, merchantReference: last.reference, number: try last.integer("number"))
            }
            return page
        }
    }

    /// Deletes a payment's history once the archive has it. The payment's movements stay for ever, and so does its
    /// row, which keeps its reference, token and idempotency keys from being used again.
    ///
    /// - Returns: `false` if the payment is no longer what was copied. Then nothing is deleted.
    func reduce(_ payment: ArchivedRows) async throws(JournalError) -> Bool {
        try await write(
            .archive, .reduce,
            [
                .text(payment.merchantReference), .integer(payment.version),
                .integer(payment.count("query_without_change")),
                .integer(payment.greatest("last_at", in: "query_without_change")),
                .integer(payment.count("event_delivery")),
                .integer(payment.greatest("leased_until", in: "event_delivery")),
            ]
        ).count > 0
    }
}

extension Statement {
    static let archivableAtMost = 500

    /// The condition that nothing of the payment is open, waits or is worked on, and that it holds no customer
    /// data. So erasures need not reach an archive.
    private static let isArchivable = """
        payment.state IN (\(PaymentState.allCases.filter(\.canBeArchived).map { "'\($0.rawValue)'" }.joined(separator: ", ")))
            AND payment.holds_customer_data = 0 AND payment.taken_by IS NULL
            AND (payment.fingerprint IS NOT NULL OR payment.state <> 'declined')
            AND coalesce(payment.archived, 0) < payment.version
            AND payment.claimed_at BETWEEN 0 AND \(EpochMilliseconds.last)
            AND NOT EXISTS (SELECT 1 FROM work WHERE work.kind IN ('query', 'deliver', 'hint')
                AND work.merchant_reference = payment.merchant_reference AND work.since IS NOT NULL)
        """

    fileprivate static let archivable = Statement(
        "archivable", isRepeatable: true,
        """
        SELECT entry.at, entry.merchant_reference, entry.number, payment.claimed_at
        FROM (
            SELECT at, merchant_reference, number FROM history INDEXED BY history_by_time
            WHERE (at, merchant_reference, number) > ($1, $2, $3) AND at < $4
            ORDER BY at, merchant_reference, number LIMIT \(archivableAtMost)
        ) AS entry LEFT JOIN payment
            ON payment.merchant_reference = entry.merchant_reference AND payment.version = entry.number AND \(isArchivable)
        ORDER BY entry.at, entry.merchant_reference, entry.number
        """)

    /// It is repeatable: the second time, the payment is archived already.
    fileprivate static let reduce = Statement(
        "reduce", isRepeatable: true, sharesCommits: true,
        parts: [
            .update(
                "payment", set: [.init("archived", "version"), .init("operations", "NULL")],
                where: """
                    merchant_reference = $1 AND version = $2 AND \(isArchivable)
                        AND (SELECT count(*) FROM query_without_change WHERE merchant_reference = $1) = $3
                        AND (SELECT coalesce(max(last_at), 0) FROM query_without_change WHERE merchant_reference = $1) = $4
                        AND (SELECT count(*) FROM event_delivery WHERE merchant_reference = $1) = $5
                        AND (SELECT coalesce(max(leased_until), 0) FROM event_delivery WHERE merchant_reference = $1) = $6
                    """),
            .delete(from: "query_without_change", where: "merchant_reference = $1"),
            .delete(from: "event_delivery", where: "merchant_reference = $1"),
            .delete(from: "history", where: "merchant_reference = $1"),
        ])
}
