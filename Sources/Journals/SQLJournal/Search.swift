import FoundationEssentials
public import PaymentRelay
import PayrelayPrimitives

extension SQLJournal {
    /// Finds a page in a bounded number of steps.
    ///
    /// 1. The access path is chosen: the first one that selects few payments. If an access path has no order, its
    ///    payments are counted up to a bound, and the path is chosen only if they are fewer; then all of them are
    ///    read.
    /// 2. If there are further filters, an access path with an order is read only down to a bounded number of the
    ///    newest payments. The page ends there, perhaps with few payments or none, and its cursor leads on.
    /// 3. That end is determined first. Even if payments come or go before the page is read, this page reads down
    ///    to the end, and the next page begins there.
    public func search(_ query: PaymentQuery) async throws(JournalError) -> PaymentPage {
        guard query.isPossible else { return PaymentPage(payments: [], next: nil) }
        let bound = driver.dialect.rowsPerPage
        let search = Search(query)
        let source = try await source(of: search, bound: bound)
        var end: PaymentCursor?
        if source.isOrdered, !search.isWhole(source) {
            let last = search.end(source, bound: bound)
            end = try await read(.search, last.statement, last.values).first
                .flatMap { PaymentCursor(reading: $0, at: "claimed_at") }
        }
        let page = search.page(source, downTo: end, bound: bound)
        let rows = try await read(.search, page.statement, page.values)
        let payments = rows.prefix(query.limit).map(Payment.read).readable(onUnreadable)
        if rows.count > query.limit {
            let next = rows.prefix(query.limit).last { $0["claimed_at"] != .null }
            return PaymentPage(payments: payments, next: next.flatMap { PaymentCursor(reading: $0, at: "claimed_at") })
        }
        return PaymentPage(payments: payments, next: end)
    }

    public func totals(of query: PaymentQuery) async throws(JournalError) -> PaymentTotals {
        var query = query
        query.after = nil
        guard query.isPossible else { return PaymentTotals(sums: [], lookedAt: nil) }
        let bound = driver.dialect.rowsPerPage
        let search = Search(query)
        let source = try await source(of: search, bound: bound)
        let totals = search.totals(source, bound: bound)
        let sums = try await read(.search, totals.statement, totals.values).compactMap {
            try? PaymentTotals.Sum(row: $0)
        }
        guard source.isOrdered else { return PaymentTotals(sums: sums, lookedAt: nil) }
        let counted = search.count(source, upTo: bound + 1)
        let isCut = try await count(counted) > bound
        return PaymentTotals(sums: sums, lookedAt: isCut ? bound : nil)
    }

    /// Returns the first access path that selects few payments.
    private func source(of search: Search, bound: Int) async throws(JournalError) -> Search.Source {
        for candidate in search.sources {
            if candidate.isOrdered { return candidate }
            if try await count(search.count(candidate, upTo: bound + 1)) <= bound { return candidate }
        }
        return .time
    }

    private func count(_ query: Search.Query) async throws(JournalError) -> Int {
        let row = try await read(.search, query.statement, query.values).first
        return row.flatMap { try? $0.integer("times") } ?? 0
    }
}

extension PaymentTotals.Sum {
    fileprivate init(row: Row) throws(UnreadableRecord) {
        self.init(
            currency: try row.text("currency"), count: try row.integer("times"), amount: try row.integer("amount"),
            captured: try row.integer("captured"), refunded: try row.integer("refunded"))
    }
}

/// The statements of a search. Every value that a client chose is a parameter.
struct Search {
    /// The access path by which a query's payments are read.
    enum Source: Equatable {
        case reference, gatewayReference, appleTransactionIdentifier, email, phone, name
        case attention, prefix, changed
        case card, rareState, client, clientAndMadeElsewhere, time

        /// Whether the payments are read in the order of a page.
        var isOrdered: Bool { ![.attention, .prefix, .changed].contains(self) }
    }

    /// A statement with its values.
    struct Query {
        let statement: Statement
        let values: [Value]
    }

    private let query: PaymentQuery

    init(_ query: PaymentQuery) {
        self.query = query
    }

    /// The access paths that the query's filters allow, the probably most selective first, and the path to all
    /// payments last.
    var sources: [Source] {
        let isRare = query.outcome.map { ![.processing, .captured].contains($0) } ?? false
        let possible: [(Source, Bool)] = [
            (.reference, query.merchantReference != nil), (.gatewayReference, query.gatewayReference != nil),
            (.appleTransactionIdentifier, query.appleTransactionIdentifier != nil), (.email, query.emailDigest != nil),
            (.phone, query.phoneDigest != nil), (.name, query.nameDigest != nil),
            (.attention, query.needsAttention), (.prefix, query.merchantReferencePrefix != nil),
            (.card, query.cardLastFour != nil), (.changed, query.changedFrom != nil), (.rareState, isRare),
            (.client, query.searchedClient != nil),
            (.clientAndMadeElsewhere, query.searchedWithMadeElsewhere != nil),
        ]
        return possible.filter(\.1).map(\.0) + [.time]
    }

    /// Returns the query for the number of a source's payments, up to a limit.
    func count(_ source: Source, upTo limit: Int) -> Query {
        write { writer in
            """
            SELECT count(*) AS times FROM (
                SELECT 1 AS one FROM (\(writer.counted(source, limit: limit))) AS payment LIMIT \(limit)
            ) AS counted
            """
        }
    }

    /// Returns the query for the sums of the matching payments among those of a source that are read. Payments
    /// whose amounts no version of this code wrote are left out. So no sum exceeds 64 bits, because an amount has
    /// at most ten digits.
    func totals(_ source: Source, bound: Int) -> Query {
        write { writer in
            let filters = [Self.hasReadableAmounts] + writer.filters(besides: source)
            return """
                SELECT currency, count(*) AS times, CAST(sum(amount) AS bigint) AS amount,
                    CAST(sum(captured) AS bigint) AS captured, CAST(sum(refunded) AS bigint) AS refunded
                FROM (\(writer.rows(of: source, limit: bound))) AS payment WHERE \(filters.joined(separator: " AND "))
                GROUP BY currency ORDER BY currency
                """
        }
    }

    private static let hasReadableAmounts = """
        amount BETWEEN 1 AND \(MinorUnits.limit) AND captured BETWEEN 0 AND amount AND refunded BETWEEN 0 AND captured
        """

    /// Whether the query matches every payment of a source.
    func isWhole(_ source: Source) -> Bool {
        var writer = SearchWriter(query)
        return writer.filters(besides: source).isEmpty
    }

    /// Returns the query for a page: the first matching payments among those of a source that are read, one more
    /// than the page has.
    ///
    /// - Parameter end: the result of ``end(_:bound:)``. If it is `nil`, there were fewer payments than the bound,
    ///   and there cannot be twice as many by now.
    func page(_ source: Source, downTo end: PaymentCursor?, bound: Int) -> Query {
        write { writer in
            let filters = writer.filters(besides: source)
            writer.end = end
            let limit: Int? = if filters.isEmpty { query.limit + 1 } else if end == nil { 2 * bound } else { nil }
            let rows = writer.rows(of: source, limit: limit)
            let condition = filters.isEmpty ? "" : "WHERE \(filters.joined(separator: " AND "))"
            return """
                SELECT \(Statement.paymentColumns) FROM (\(rows)) AS payment \(condition)
                \(Self.order) LIMIT \(query.limit + 1)
                """
        }
    }

    /// Returns the query for the place of the last payment that is read. It has no result if there are fewer
    /// payments.
    func end(_ source: Source, bound: Int) -> Query {
        write { writer in
            // Many indexes have these two columns, so that no row of the table is read.
            writer.columns = "claimed_at, merchant_reference"
            return """
                SELECT claimed_at, merchant_reference FROM (\(writer.rows(of: source, limit: bound))) AS payment
                \(Self.order) LIMIT 1 OFFSET \(bound - 1)
                """
        }
    }

    static let order = "ORDER BY claimed_at DESC, merchant_reference DESC"

    private func write(_ body: (inout SearchWriter) -> String) -> Query {
        var writer = SearchWriter(query)
        let sql = body(&writer)
        // Without a name: there are many such statements, and a server keeps each named one.
        return Query(statement: Statement(nil, isRepeatable: true, sql), values: writer.values)
    }
}

/// Writes a statement and collects its values.
private struct SearchWriter {
    private let query: PaymentQuery
    private(set) var values: [Value] = []
    /// The columns that a source with an order reads.
    var columns = "*"
    /// The place at which a source with an order ends.
    var end: PaymentCursor?

    init(_ query: PaymentQuery) {
        self.query = query
    }

    /// Returns the rows to count for a source. For the source `changed`, these are the changes.
    mutating func counted(_ source: Search.Source, limit: Int) -> String {
        source == .changed
            ? "SELECT at FROM history INDEXED BY history_by_time WHERE at >= \(changedFrom)"
            : rows(of: source, limit: limit)
    }

    /// Returns the payments of a source. If the source has an order, they are the newest.
    mutating func rows(of source: Search.Source, limit: Int?) -> String {
        switch source {
        case .attention:
            let (overdue, deadLettered) = attention
            return """
                SELECT * FROM payment WHERE merchant_reference IN (
                    SELECT merchant_reference FROM work WHERE \(overdue)
                    UNION SELECT merchant_reference FROM work WHERE \(deadLettered))
                """
        case .prefix: return "SELECT * FROM payment INDEXED BY payment_by_lowercase_reference WHERE \(prefix)"
        case .clientAndMadeElsewhere:
            // An external payment that was claimed here since has a fingerprint.
            let own = ordered(
                "payment INDEXED BY payment_by_client", clientsAndNoneElse + " AND fingerprint IS NOT NULL", limit)
            let elsewhere = ordered("payment INDEXED BY payment_made_elsewhere", "fingerprint IS NULL", limit)
            return union(own, elsewhere, limit)
        case .reference: return ordered("payment", equal("merchant_reference", .text(query.merchantReference)), limit)
        case .gatewayReference:
            return ordered(
                "payment INDEXED BY payment_by_gateway_reference",
                equal("gateway_reference", .text(query.gatewayReference)), limit)
        case .appleTransactionIdentifier:
            let own = beginning("apple_transaction_identifier", 64, query.appleTransactionIdentifier)
            return union(
                ordered("payment INDEXED BY payment_by_token", own + " AND token_digest IS NOT NULL", limit),
                ordered("payment INDEXED BY payment_by_other_identifier", own + " AND token_digest IS NULL", limit),
                limit)
        case .email:
            return ordered(
                "payment INDEXED BY payment_by_email", equal("email_digest", .bytes(query.emailDigest?.bytes)), limit)
        case .phone:
            return ordered(
                "payment INDEXED BY payment_by_phone", equal("phone_digest", .bytes(query.phoneDigest?.bytes)), limit)
        case .name:
            return ordered(
                "payment INDEXED BY payment_by_name", equal("name_digest", .bytes(query.nameDigest?.bytes)), limit)
        case .changed:
            return """
                SELECT * FROM payment WHERE merchant_reference IN (
                    SELECT merchant_reference FROM history INDEXED BY history_by_time WHERE at >= \(changedFrom) AND \(Self.countsAsChange)
                )
                """
        case .card:
            // A payment with both numbers is only in the first list.
            let (own, displayed) = (parameter(.text(query.cardLastFour)), parameter(.text(query.cardLastFour)))
            return union(
                ordered("payment INDEXED BY payment_by_card", "card_last_four = \(own)", limit),
                ordered(
                    "payment INDEXED BY payment_by_displayed_card",
                    "displayed_card_last_four = \(displayed) AND (card_last_four IS NULL OR card_last_four <> \(displayed))",
                    limit),
                limit)
        case .rareState:
            return ordered(
                "payment INDEXED BY payment_by_state",
                equal("state", .text(query.outcome?.rawValue)) + " AND state NOT IN ('processing', 'captured')", limit)
        case .client:
            return ordered(
                "payment INDEXED BY payment_by_client", beginning("client", 200, query.searchedClient), limit)
        case .time: return ordered("payment INDEXED BY payment_by_time", nil, limit)
        }
    }

    /// Returns two lists in the order of a page as one list.
    private func union(_ one: String, _ other: String, _ limit: Int?) -> String {
        """
        SELECT * FROM (
            SELECT * FROM (\(one)) AS one UNION ALL SELECT * FROM (\(other)) AS other
        ) AS both_lists \(Search.order) LIMIT \(limit ?? Int.max)
        """
    }

    private mutating func ordered(_ table: String, _ condition: String?, _ limit: Int?) -> String {
        let conditions = [condition].compactMap(\.self) + range
        return """
            SELECT \(columns) FROM \(table) \(conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))")
            \(Search.order) LIMIT \(limit ?? Int.max)
            """
    }

    /// The conditions for the query's times and for the payments after the previous page. There is one lower and
    /// one upper bound, because SQLite uses only the first of two for its seek.
    private var range: [String] {
        mutating get {
            var conditions: [String] = []
            if let end {
                conditions.append("(claimed_at, merchant_reference) >= \(place(end))")
            } else if let from = query.claimedFrom {
                conditions.append("claimed_at >= \(parameter(.moment(from)))")
            }
            if let after = query.after, query.claimedTo.map({ after.at < $0 }) ?? true {
                conditions.append("(claimed_at, merchant_reference) < \(place(after))")
            } else if let to = query.claimedTo {
                conditions.append("claimed_at < \(parameter(.moment(to)))")
            }
            return conditions
        }
    }

    private mutating func place(_ cursor: PaymentCursor) -> String {
        "(\(parameter(.moment(cursor.at))), \(parameter(.text(cursor.merchantReference))))"
    }

    /// Returns the conditions for all filters that the source does not fulfil by itself.
    mutating func filters(besides source: Search.Source) -> [String] {
        var filters = source.isOrdered ? [] : range
        func isAsked(_ value: (some Any)?, _ other: Search.Source) -> Bool { value != nil && source != other }
        if isAsked(query.merchantReference, .reference) {
            filters.append(equal("merchant_reference", .text(query.merchantReference)))
        }
        if isAsked(query.gatewayReference, .gatewayReference) {
            filters.append(equal("gateway_reference", .text(query.gatewayReference)))
        }
        if isAsked(query.appleTransactionIdentifier, .appleTransactionIdentifier) {
            filters.append(equal("apple_transaction_identifier", .text(query.appleTransactionIdentifier)))
        }
        if isAsked(query.emailDigest, .email) {
            filters.append(equal("email_digest", .bytes(query.emailDigest?.bytes)))
        }
        if isAsked(query.phoneDigest, .phone) {
            filters.append(equal("phone_digest", .bytes(query.phoneDigest?.bytes)))
        }
        if isAsked(query.nameDigest, .name) {
            filters.append(equal("name_digest", .bytes(query.nameDigest?.bytes)))
        }
        if isAsked(query.cardLastFour, .card) {
            let digits = parameter(.text(query.cardLastFour))
            filters.append("(card_last_four = \(digits) OR displayed_card_last_four = \(digits))")
        }
        if isAsked(query.merchantReferencePrefix, .prefix) { filters.append(prefix) }
        if query.needsAttention, source != .attention {
            let (overdue, deadLettered) = attention
            filters.append(
                """
                (EXISTS (SELECT 1 FROM work WHERE work.merchant_reference = payment.merchant_reference AND \(overdue))
                    OR EXISTS (SELECT 1 FROM work WHERE work.merchant_reference = payment.merchant_reference
                        AND \(deadLettered)))
                """)
        }
        if let amounts = query.amounts {
            let (least, most) = (amounts.lowerBound.value, amounts.upperBound.value)
            filters.append("amount BETWEEN \(parameter(.integer(least))) AND \(parameter(.integer(most)))")
        }
        if let decimal = query.amountInAnyCurrency { filters.append(isAbout(decimal)) }
        if let currency = query.currency { filters.append(equal("currency", .text(currency))) }
        if isAsked(query.outcome, .rareState) { filters.append(equal("state", .text(query.outcome?.rawValue))) }
        if let command = query.command { filters.append(equal("command", .text(command.rawValue))) }
        if let gateway = query.gateway { filters.append(equal("gateway", .text(gateway))) }
        if let account = query.account { filters.append(equal("account", .text(account))) }
        if isAsked(query.searchedClient, .client) { filters.append(equal("client", .text(query.searchedClient))) }
        if isAsked(query.searchedWithMadeElsewhere, .clientAndMadeElsewhere) {
            filters.append("(\(clientsAndNoneElse) OR fingerprint IS NULL)")
        }
        // The conditions that read the history come last.
        if isAsked(query.changedFrom, .changed) {
            filters.append(
                """
                EXISTS (SELECT 1 FROM history WHERE history.merchant_reference = payment.merchant_reference
                    AND at >= \(changedFrom) AND \(Self.countsAsChange))
                """)
        }
        let summary = Statement.ofLastEntry("summary")
        for text in [query.responseCode, query.authorizationCode, query.cardNumber].compactMap(\.self) {
            filters.append(has(text.members, in: summary))
        }
        if let network = query.cardNetwork {
            let own = has([CustomerDetails.member(cardNetwork: network.value)], in: "customer")
            filters.append("(\(own) OR \(has(network.members, in: summary)))")
        }
        return filters
    }

    /// Returns the condition that a column of JSON, whatever its bytes are, has one of the members.
    private mutating func has(_ members: [String], in column: String) -> String {
        let alternatives = members.map {
            "strpos(lower(encode(\(column), 'escape') COLLATE \"C\"), \(parameter(.text($0)))) > 0"
        }
        return alternatives.isEmpty ? "1 = 0" : "(\(alternatives.joined(separator: " OR ")))"
    }

    /// The erasures of retention, which happen every day, do not count as changes.
    private static let countsAsChange = "coalesce(source, '') <> '\(HistorySource.retention.text)'"

    private var changedFrom: String {
        mutating get { parameter(.moment(query.changedFrom)) }
    }

    /// Returns the condition for an amount in any currency. The codes are constants of this program.
    private mutating func isAbout(_ decimal: AmountInAnyCurrency) -> String {
        let alternatives = decimal.byExponent.sorted { $0.key < $1.key }.map { exponent, amount in
            let codes = Currency.codes(exponent: exponent).map { "'\($0)'" }.joined(separator: ", ")
            return "amount = \(parameter(.integer(amount.value))) AND currency IN (\(codes))"
        }
        return "((\(alternatives.joined(separator: ") OR ("))))"
    }

    private var clientsAndNoneElse: String {
        mutating get { beginning("client", 200, query.searchedWithMadeElsewhere) }
    }

    private var attention: (overdue: String, deadLettered: String) {
        mutating get {
            let range = query.notOverdueIn
            let (from, to) = (parameter(.moment(range.lowerBound)), parameter(.moment(range.upperBound)))
            return (
                "work.kind = 'query' AND work.since NOT BETWEEN \(from) AND \(to)",
                "work.kind = 'deliver' AND work.since IS NOT NULL AND work.due_at IS NULL"
            )
        }
    }

    /// The condition for the beginning of a reference: a range of the index by bytes, without wildcards.
    private var prefix: String {
        mutating get {
            let text = (query.merchantReferencePrefix ?? "").lowercasedASCII
            // The prefix is visible ASCII, so its last byte has a successor.
            var end = Array(text.utf8)
            guard let last = end.popLast() else { return "merchant_reference = merchant_reference" }
            end.append(last + 1)
            let (from, to) = (parameter(.text(text)), parameter(.text(String(decoding: end, as: UTF8.self))))
            return "lower(merchant_reference) >= \(from) AND lower(merchant_reference) < \(to)"
        }
    }

    /// Returns the condition that a column equals a text, written so that the index on the text's beginning is
    /// used. With an equality, SQLite would put the value in place of the column in the other conditions, and then
    /// find no index on an expression of the column. BETWEEN has the same meaning.
    private mutating func beginning(_ column: String, _ length: Int, _ text: String?) -> String {
        let value = parameter(.text(text))
        return """
            substr(\(column), 1, \(length)) = substr(\(value), 1, \(length)) AND \(column) IS NOT NULL
            AND \(column) BETWEEN \(value) AND \(value)
            """
    }

    private mutating func equal(_ column: String, _ value: Value) -> String { "\(column) = \(parameter(value))" }

    private mutating func parameter(_ value: Value) -> String {
        values.append(value)
        return "$\(values.count)"
    }
}
