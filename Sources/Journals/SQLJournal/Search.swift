import FoundationEssentials
public import PaymentRelay
import PayrelayPrimitives

extension SQLJournal {
    /// Finds a page in a bounded number of steps.
    ///
    /// Of what the query can be read by, the first is taken that few payments have; a list without an order is counted for it, up to a
    /// bound, and read whole. Of any other a bounded number of the newest payments is looked at, and the page ends where that ends: with
    /// few payments or none, and a cursor that goes on. The end is found first: whatever comes to the list or leaves it until the page is
    /// read, this page reads down to it, and the next one goes on there.
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

    /// The first access path that few payments have.
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

/// The statements of a search. What a client chose is a parameter.
struct Search {
    /// Access path by which a query's payments are read.
    enum Source: Equatable {
        case reference, gatewayReference, appleTransactionIdentifier, email, phone, name
        case attention, prefix, changed
        case card, rareState, client, clientAndMadeElsewhere, time

        /// Whether its payments are read in the order of a page.
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

    /// Access paths that the query's filters allow, the probably most selective first; all payments last.
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

    /// How many payments a source has, up to a limit.
    func count(_ source: Source, upTo limit: Int) -> Query {
        write { writer in
            """
            SELECT count(*) AS times FROM (
                SELECT 1 AS one FROM (\(writer.counted(source, limit: limit))) AS payment LIMIT \(limit)
            ) AS counted
            """
        }
    }

    /// The query's payments among those of a source that are read, in sums; without those whose amounts no version of this code
    /// wrote. So no sum is beyond a number of 64 bits: an amount has ten digits.
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

    /// Whether every payment of a source is the query's, too.
    func isWhole(_ source: Source) -> Bool {
        var writer = SearchWriter(query)
        return writer.filters(besides: source).isEmpty
    }

    /// The query's first payments among those of a source that are read, one more than the page has.
    ///
    /// - Parameter end: as ``end(_:bound:)`` found it. Where it found none, there were fewer payments than the bound, and are not twice as
    ///   many by now.
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

    /// The place of the last payment that is read, where there may be more.
    func end(_ source: Source, bound: Int) -> Query {
        write { writer in
            // Many indexes have these two: then no payment is read for it.
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
        // Without a name: there are many, and a server keeps each that has one.
        return Query(statement: Statement(nil, isRepeatable: true, sql), values: writer.values)
    }
}

/// Writes a statement and collects its values.
private struct SearchWriter {
    private let query: PaymentQuery
    private(set) var values: [Value] = []
    /// Of the payments of a source that is in order.
    var columns = "*"
    /// Where a source that is in order ends.
    var end: PaymentCursor?

    init(_ query: PaymentQuery) {
        self.query = query
    }

    /// What a source reads: of what changed, changes.
    mutating func counted(_ source: Search.Source, limit: Int) -> String {
        source == .changed
            ? "SELECT at FROM history INDEXED BY history_by_time WHERE at >= \(changedFrom)"
            : rows(of: source, limit: limit)
    }

    /// The payments of a source; the newest, where it is in order.
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
            // One that was claimed here since has a fingerprint.
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
            // A payment with both is the first list's.
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

    /// Two lists in the order of a page, as one.
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

    /// The query's times, and what comes after the page before. One bound above and one below: of two SQLite seeks by the first.
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

    /// Of everything that the source does not keep by itself.
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
        // Those that look into the history, last.
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

    /// Of a column with JSON, whatever bytes it has.
    private mutating func has(_ members: [String], in column: String) -> String {
        let alternatives = members.map {
            "strpos(lower(encode(\(column), 'escape') COLLATE \"C\"), \(parameter(.text($0)))) > 0"
        }
        return alternatives.isEmpty ? "1 = 0" : "(\(alternatives.joined(separator: " OR ")))"
    }

    /// Nobody asks for what retention erases, day after day.
    private static let countsAsChange = "coalesce(source, '') <> '\(HistorySource.retention.text)'"

    private var changedFrom: String {
        mutating get { parameter(.moment(query.changedFrom)) }
    }

    /// The codes are this program's own.
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

    /// By its bytes: a range of the index, in which no character stands for others.
    private var prefix: String {
        mutating get {
            let text = (query.merchantReferencePrefix ?? "").lowercasedASCII
            // The prefix is visible ASCII, so that its last byte has one after it.
            var end = Array(text.utf8)
            guard let last = end.popLast() else { return "merchant_reference = merchant_reference" }
            end.append(last + 1)
            let (from, to) = (parameter(.text(text)), parameter(.text(String(decoding: end, as: UTF8.self))))
            return "lower(merchant_reference) >= \(from) AND lower(merchant_reference) < \(to)"
        }
    }

    /// That a column is a text, as its index has it: by its beginning. Where a column is equal to a value, SQLite puts the value in its
    /// place in the other conditions, and then finds no index on an expression of it: BETWEEN says the same.
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
