import FoundationEssentials
public import PaymentRelay
import PayrelayPrimitives

/// How a database's SQL differs where payments are searched.
public struct SearchDialect: Sendable {
    /// The parameter with this number, counted from 1.
    let parameter: @Sendable (Int) -> String
    /// What is written after `payment` to have it read by an index.
    let index: @Sendable (_ name: String) -> String
    /// The columns that a payment is read from.
    let columns: String
    /// The reference as it is compared byte by byte.
    let referenceBytes: String
    /// What the primary key's index, or the one over ``referenceBytes``, is called.
    let referenceIndex: String
    /// What lists the open payments.
    let openIndex: String
    /// The places of the payments that have a key, within a range of places: columns `claimed_at` and `merchant_reference`.
    let places: @Sendable (_ key: SearchKey, _ range: String) -> String
    /// That the row `payment` has a key.
    let hasKey: @Sendable (SearchKey) -> String
    /// How much of it is read in some ten milliseconds.
    let bounds: SearchBounds
    /// That a column of text is a parameter, as its index has it.
    let equals: @Sendable (_ column: String, _ parameter: String) -> String

    public init(
        columns: String, referenceBytes: String, referenceIndex: String, openIndex: String, bounds: SearchBounds,
        parameter: @escaping @Sendable (Int) -> String, index: @escaping @Sendable (_ name: String) -> String,
        places: @escaping @Sendable (_ key: SearchKey, _ range: String) -> String,
        hasKey: @escaping @Sendable (SearchKey) -> String,
        equals: @escaping @Sendable (_ column: String, _ parameter: String) -> String = { "\($0) = \($1)" }
    ) {
        self.columns = columns
        self.referenceBytes = referenceBytes
        self.referenceIndex = referenceIndex
        self.openIndex = openIndex
        self.parameter = parameter
        self.index = index
        self.equals = equals
        self.bounds = bounds
        self.places = places
        self.hasKey = hasKey
    }
}

/// A statement that only reads. What a client chose is a parameter, or a number.
public struct SearchStatement: Sendable {
    public let sql: String
    public let texts: [String]
}

/// How much is looked at for one page.
public struct SearchBounds: Sendable {
    /// Entries of an index that has the columns of the filters in it.
    let entries: Int
    /// Of these entries, payments that are looked up because other filters need them.
    let payments: Int

    public init(entries: Int, payments: Int) {
        self.entries = entries
        self.payments = payments
    }
}

/// What the payments of a query are read by.
enum SearchSource: Equatable {
    /// All, the newest first.
    case time
    case reference(String)
    case key(SearchKey)
    /// A client's.
    case client(String)
    /// A client's payments, and those that were made elsewhere.
    case clientAndMadeElsewhere(String)
    /// A state that few payments are in: most are captured, or on their way.
    case rareState(PaymentState)
    case referencePrefix(String)
    case open
    case attention(overdueBefore: Date)

    /// Whether its payments are read in the order of a page.
    var isOrdered: Bool {
        switch self {
        case .time, .reference, .key, .client, .clientAndMadeElsewhere, .rareState: true
        case .referencePrefix, .open, .attention: false
        }
    }

    /// Whether its index has the columns that a claim sets and nothing changes.
    var coversClaim: Bool {
        switch self {
        case .time, .client: true
        default: false
        }
    }
}

/// Writes the statements of a query.
struct SearchWriter {
    let query: PaymentQuery
    let dialect: SearchDialect
    private var texts: [String] = []

    init(_ query: PaymentQuery, in dialect: SearchDialect) {
        self.query = query
        self.dialect = dialect
    }

    private static let order = "ORDER BY claimed_at DESC, merchant_reference DESC"

    /// What the query can be read by, most likely the fewest first.
    var sources: [SearchSource] {
        var sources = query.merchantReference.map { [SearchSource.reference($0)] } ?? []
        sources += query.keys.map { .key($0) }
        if query.needsAttention { sources.append(.attention(overdueBefore: query.overdueBefore)) }
        if let prefix = query.merchantReferencePrefix { sources.append(.referencePrefix(prefix)) }
        switch query.outcome {
        case nil, .captured: break
        case .processing: sources.append(.open)
        case .some(let state): sources.append(.rareState(state))
        }
        if let client = query.searchedClient { sources.append(.client(client)) }
        if let client = query.searchedWithMadeElsewhere { sources.append(.clientAndMadeElsewhere(client)) }
        return sources
    }

    /// How many payments a source has, counted up to a limit.
    func count(_ source: SearchSource, upTo limit: Int) -> SearchStatement {
        write { writer in
            let rows =
                source.isOrdered
                ? writer.entries(of: source, limit: limit) : "\(writer.all(source, columns: "1")) LIMIT \(limit)"
            return "SELECT count(*) AS count FROM (\(rows)) AS source"
        }
    }

    /// The first payments of a query. An ordered source is read within bounds, any other whole.
    func payments(_ source: SearchSource, within bounds: SearchBounds, limit: Int) -> SearchStatement {
        write { writer in
            let rows: String
            if source.isOrdered {
                rows = """
                    SELECT payment.* FROM (\(writer.candidates(of: source, within: bounds))) AS candidate CROSS JOIN payment
                    WHERE payment.merchant_reference = candidate.merchant_reference
                    AND payment.claimed_at = candidate.claimed_at
                    """
            } else {
                rows = writer.all(source, columns: "*")
            }
            var filters = writer.paymentFilters(besides: source)
            if !source.coversClaim { filters += writer.claimFilters }
            if !source.isOrdered { filters.append(writer.range) }
            let condition = filters.isEmpty ? "" : "WHERE " + filters.joined(separator: " AND ")
            return """
                SELECT \(writer.dialect.columns) FROM (
                    SELECT * FROM (\(rows)) AS payment \(condition) \(Self.order) LIMIT \(limit)) AS payment
                \(Self.order)
                """
        }
    }

    /// The places where the bounds end the reading of an ordered source: of the last payment that may be looked up, then of the last
    /// entry that may be read. Where there are fewer, the statement has no row.
    func ends(of source: SearchSource, within bounds: SearchBounds) -> [SearchStatement] {
        var writer = self
        let lastPayment = place(number: bounds.payments) { $0.candidates(of: source, within: bounds) }
        guard source.coversClaim, !writer.claimFilters.isEmpty else { return [lastPayment] }
        let lastEntry = place(number: bounds.entries) { $0.entries(of: source, limit: bounds.entries) }
        // Where no other filter is left, a page that is not full has had every payment that was looked up.
        return writer.paymentFilters(besides: source).isEmpty ? [lastEntry] : [lastPayment, lastEntry]
    }

    private func place(number: Int, of rows: (inout SearchWriter) -> String) -> SearchStatement {
        write { writer in
            """
            SELECT claimed_at AS at, merchant_reference FROM (\(rows(&writer))) AS source
            \(Self.order) LIMIT 1 OFFSET \(number - 1)
            """
        }
    }

    /// Whether every payment of an ordered source is one of the query's.
    func isWhole(_ source: SearchSource) -> Bool {
        var writer = self
        return writer.claimFilters.isEmpty && writer.paymentFilters(besides: source).isEmpty
    }

    private func write(_ body: (inout SearchWriter) -> String) -> SearchStatement {
        var writer = self
        let sql = body(&writer)
        return SearchStatement(sql: sql, texts: writer.texts)
    }

    /// The places of an ordered source's first payments that pass the filters its index can answer.
    private mutating func candidates(of source: SearchSource, within bounds: SearchBounds) -> String {
        let filters = source.coversClaim ? claimFilters : []
        guard !filters.isEmpty else { return entries(of: source, limit: min(bounds.entries, bounds.payments)) }
        return """
            SELECT claimed_at, merchant_reference FROM (\(entries(of: source, limit: bounds.entries))) AS entry
            WHERE \(filters.joined(separator: " AND ")) \(Self.order) LIMIT \(bounds.payments)
            """
    }

    /// The first entries of an ordered source: places, with what its index has besides.
    private mutating func entries(of source: SearchSource, limit: Int) -> String {
        let end = "\(Self.order) LIMIT \(limit)"
        if case .clientAndMadeElsewhere(let client) = source {
            let (own, madeElsewhere) = (
                entries(of: .client(client), limit: limit), entries(of: .key(.madeElsewhere), limit: limit)
            )
            // One that was claimed here since may be in both.
            return """
                SELECT claimed_at, merchant_reference FROM (
                    SELECT claimed_at, merchant_reference FROM (\(own)) AS own
                    UNION SELECT claimed_at, merchant_reference FROM (\(madeElsewhere)) AS made_elsewhere
                ) AS visible \(end)
                """
        }
        let range = self.range
        let covered = source.coversClaim ? ", amount, currency, account, command" : ""
        let places = "SELECT claimed_at, merchant_reference\(covered) FROM payment"
        return switch source {
        case .key(let key): "\(dialect.places(key, range)) \(end)"
        case .reference(let reference):
            "\(places) WHERE merchant_reference = \(parameter(reference)) AND \(range) \(end)"
        case .client(let client):
            "\(places) \(dialect.index("payment_by_client")) WHERE \(condition("client", client)) AND \(range) \(end)"
        case .rareState(let state):
            """
            \(places) \(dialect.index("payment_by_state"))
            WHERE state = \(parameter(state.rawValue)) AND state NOT IN ('processing', 'captured') AND \(range) \(end)
            """
        default: "\(places) \(dialect.index("payment_by_time")) WHERE \(range) \(end)"
        }
    }

    /// A source that is read whole.
    private mutating func all(_ source: SearchSource, columns: String) -> String {
        switch source {
        case .referencePrefix(let prefix):
            return
                "SELECT \(columns) FROM payment \(dialect.index(dialect.referenceIndex)) WHERE \(condition(prefix: prefix))"
        case .open:
            return "SELECT \(columns) FROM payment \(dialect.index(dialect.openIndex)) WHERE opened_at IS NOT NULL"
        case .attention(let moment):
            let (overdue, deadLettered) = Self.conditions(overdueBefore: moment)
            return """
                SELECT \(columns) FROM payment \(dialect.index(dialect.openIndex)) WHERE \(overdue)
                UNION ALL SELECT \(columns) FROM payment \(dialect.index("payment_with_events"))
                WHERE \(deadLettered) AND NOT (\(overdue))
                """
        case .time, .reference, .key, .client, .clientAndMadeElsewhere, .rareState:
            preconditionFailure("ordered sources are not read whole")
        }
    }

    /// Of what a claim sets and nothing changes.
    private var claimFilters: [String] {
        mutating get {
            var filters: [String] = []
            if let amounts = query.amounts {
                filters.append("amount >= \(amounts.lowerBound) AND amount <= \(amounts.upperBound)")
            }
            if let currency = query.currency { filters.append("currency = \(parameter(currency))") }
            if let account = query.account { filters.append("account = \(parameter(account))") }
            if let command = query.command { filters.append("command = \(parameter(command.rawValue))") }
            return filters
        }
    }

    /// Of everything else, where the source does not keep it by itself.
    private mutating func paymentFilters(besides source: SearchSource) -> [String] {
        var filters: [String] = []
        for key in query.keys where source != .key(key) { filters.append(dialect.hasKey(key)) }
        if query.needsAttention, source != .attention(overdueBefore: query.overdueBefore) {
            let (overdue, deadLettered) = Self.conditions(overdueBefore: query.overdueBefore)
            filters.append("(\(overdue) OR \(deadLettered))")
        }
        if let prefix = query.merchantReferencePrefix, source != .referencePrefix(prefix) {
            filters.append(condition(prefix: prefix))
        }
        if let state = query.outcome, source != .rareState(state) {
            filters.append("state = \(parameter(state.rawValue))")
        }
        if let client = query.searchedClient, source != .client(client) { filters.append(condition("client", client)) }
        if let client = query.searchedWithMadeElsewhere { filters.append(condition(clientOrMadeElsewhere: client)) }
        return filters
    }

    /// The query's times, and what comes after the page before. No reference is empty. A server without statistics takes a condition for
    /// one that few rows fulfil, and sorts: none that can be left out is here.
    private var range: String {
        mutating get {
            let end = query.claimedTo.map { EpochMilliseconds($0).milliseconds } ?? EpochMilliseconds.last + 1
            var conditions = ["claimed_at < \(end)"]
            if let from = query.claimedFrom {
                conditions.append("claimed_at >= \(EpochMilliseconds(from).milliseconds)")
            }
            if let after = query.after {
                let (moment, reference) = (EpochMilliseconds(after.at).milliseconds, parameter(after.merchantReference))
                conditions.append("(claimed_at, merchant_reference) < (\(moment), \(reference))")
            }
            return conditions.joined(separator: " AND ")
        }
    }

    /// By its bytes: a range of the index, in which no character stands for others.
    private mutating func condition(prefix: String) -> String {
        let start = parameter(prefix)
        let reference = dialect.referenceBytes
        // The prefix is visible ASCII, so that its last byte has one after it.
        var end = Array(prefix.utf8)
        guard let last = end.popLast() else { return "merchant_reference = merchant_reference" }
        end.append(last + 1)
        return "\(reference) >= \(start) AND \(reference) < \(parameter(String(decoding: end, as: UTF8.self)))"
    }

    private mutating func condition(_ column: String, _ text: String) -> String {
        dialect.equals(column, parameter(text))
    }

    /// A payment that was made elsewhere has an empty fingerprint. One that was claimed here since has its old key still, so that the
    /// source does not keep this by itself.
    private mutating func condition(clientOrMadeElsewhere client: String) -> String {
        "(\(condition("client", client)) OR length(fingerprint) = 0)"
    }

    private static func conditions(overdueBefore moment: Date) -> (overdue: String, deadLettered: String) {
        (
            "opened_at IS NOT NULL AND opened_at < \(EpochMilliseconds(moment).milliseconds)",
            "events_waiting_since IS NOT NULL AND events_due_at IS NULL"
        )
    }

    private mutating func parameter(_ text: String) -> String {
        texts.append(text)
        return dialect.parameter(texts.count)
    }
}
