import FoundationEssentials
import PaymentRelay
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
    /// That a column of text is a parameter, as its index has it.
    let equals: @Sendable (_ column: String, _ parameter: String) -> String

    public init(
        columns: String, referenceBytes: String, referenceIndex: String, openIndex: String,
        parameter: @escaping @Sendable (Int) -> String, index: @escaping @Sendable (_ name: String) -> String,
        equals: @escaping @Sendable (_ column: String, _ parameter: String) -> String = { "\($0) = \($1)" }
    ) {
        self.columns = columns
        self.referenceBytes = referenceBytes
        self.referenceIndex = referenceIndex
        self.openIndex = openIndex
        self.parameter = parameter
        self.index = index
        self.equals = equals
    }
}

/// A statement that only reads. What a client chose is a parameter, or a number.
public struct SearchStatement: Sendable {
    public let sql: String
    public let texts: [String]
}

/// What the payments of a query are read by.
enum SearchSource: Equatable {
    /// All, the newest first.
    case time
    case reference(String)
    case key(SearchKey)
    /// A client's payments, and those that were made elsewhere.
    case clientAndMadeElsewhere(String)
    /// A column with an index over it, the time and the reference.
    case column(String, Value)
    case referencePrefix(String)
    case amounts(ClosedRange<MinorUnits>)
    case attention(overdueBefore: Date)

    enum Value: Equatable {
        case text(String)
        case integer(Int)
    }

    /// Whether its payments are read in the order of a page.
    var isOrdered: Bool {
        switch self {
        case .time, .reference, .key, .clientAndMadeElsewhere, .column: true
        case .referencePrefix, .amounts, .attention: false
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
        if let amounts = query.amounts {
            sources.append(
                amounts.lowerBound == amounts.upperBound
                    ? .column("amount", .integer(amounts.lowerBound.value)) : .amounts(amounts))
        }
        sources += [
            query.searchedClient.map { .column("client", .text($0)) },
            query.searchedWithMadeElsewhere.map { .clientAndMadeElsewhere($0) },
            query.account.map { .column("account", .text($0)) },
            query.outcome.map { .column("state", .text($0.rawValue)) },
            query.currency.map { .column("currency", .text($0)) },
        ].compactMap(\.self)
        return sources
    }

    /// How many payments a source has, counted up to a limit.
    func count(_ source: SearchSource, upTo limit: Int) -> SearchStatement {
        write { writer in
            let rows = source.isOrdered ? writer.ordered(source, limit: limit) : "\(writer.all(source)) LIMIT \(limit)"
            return "SELECT count(*) AS count FROM (\(rows)) AS source"
        }
    }

    /// The first payments of a query, among the first of an ordered source.
    func payments(_ source: SearchSource, scanning scan: Int, limit: Int) -> SearchStatement {
        write { writer in
            let rows =
                source.isOrdered ? writer.ordered(source, limit: scan, whole: true) : writer.all(source, whole: true)
            let filters = writer.filters(besides: source)
            let condition = filters.isEmpty ? "" : "WHERE " + filters.joined(separator: " AND ")
            return """
                SELECT \(writer.dialect.columns) FROM (
                    SELECT * FROM (\(rows)) AS payment \(condition) \(Self.order) LIMIT \(limit)) AS payment
                \(Self.order)
                """
        }
    }

    /// The place of the payment with this number, counted from 1, of an ordered source.
    func place(_ source: SearchSource, number: Int) -> SearchStatement {
        write { writer in
            """
            SELECT claimed_at AS at, merchant_reference FROM (\(writer.ordered(source, limit: number))) AS source
            \(Self.order) LIMIT 1 OFFSET \(number - 1)
            """
        }
    }

    /// Whether every payment of an ordered source is one of the query's.
    func isWhole(_ source: SearchSource) -> Bool {
        var writer = self
        return writer.filters(besides: source).isEmpty
    }

    private func write(_ body: (inout SearchWriter) -> String) -> SearchStatement {
        var writer = self
        let sql = body(&writer)
        return SearchStatement(sql: sql, texts: writer.texts)
    }

    /// - Parameter whole: with all columns, and not only the place.
    private mutating func ordered(_ source: SearchSource, limit: Int, whole: Bool = false) -> String {
        if case .clientAndMadeElsewhere(let client) = source {
            let own = ordered(.column("client", .text(client)), limit: limit)
            let madeElsewhere = ordered(.key(.madeElsewhere), limit: limit)
            // One that was claimed here since may be in both.
            let found = """
                SELECT claimed_at, merchant_reference FROM (
                    SELECT claimed_at, merchant_reference FROM (\(own)) AS own
                    UNION SELECT claimed_at, merchant_reference FROM (\(madeElsewhere)) AS made_elsewhere) AS visible
                \(Self.order) LIMIT \(limit)
                """
            guard whole else { return found }
            return """
                SELECT payment.* FROM (\(found)) AS found CROSS JOIN payment
                WHERE payment.merchant_reference = found.merchant_reference AND payment.claimed_at = found.claimed_at
                AND \(condition(clientOrMadeElsewhere: client))
                """
        }
        let range = range
        if case .key(let key) = source {
            let found = """
                SELECT claimed_at, merchant_reference FROM search_key WHERE slot = \(key.slot) AND \(range)
                AND digest = \(key.digest)
                \(Self.order) LIMIT \(limit)
                """
            guard whole else { return found }
            // A payment that was claimed again keeps the keys of its earlier claims, of other times.
            return """
                SELECT payment.* FROM (\(found)) AS found CROSS JOIN payment
                WHERE payment.merchant_reference = found.merchant_reference AND payment.claimed_at = found.claimed_at
                """
        }
        let index: String
        var condition = range
        switch source {
        case .column(let column, let value):
            index = dialect.index("payment_by_" + column)
            condition = self.condition(column, value) + " AND " + range
        case .reference(let reference):
            index = ""
            condition = "merchant_reference = \(parameter(.text(reference))) AND " + range
        default: index = dialect.index("payment_by_time")
        }
        return """
            SELECT \(whole ? "*" : "claimed_at, merchant_reference") FROM payment \(index) WHERE \(condition)
            \(Self.order) LIMIT \(limit)
            """
    }

    /// A source that is read whole.
    private mutating func all(_ source: SearchSource, whole: Bool = false) -> String {
        let columns = whole ? "*" : "merchant_reference"
        switch source {
        case .referencePrefix(let prefix):
            return
                "SELECT \(columns) FROM payment \(dialect.index(dialect.referenceIndex)) WHERE \(condition(prefix: prefix))"
        case .amounts(let amounts):
            return "SELECT \(columns) FROM payment \(dialect.index("payment_by_amount")) WHERE \(condition(amounts))"
        case .attention(let moment):
            let (overdue, deadLettered) = Self.conditions(overdueBefore: moment)
            return """
                SELECT \(columns) FROM payment \(dialect.index(dialect.openIndex)) WHERE \(overdue)
                UNION ALL SELECT \(columns) FROM payment \(dialect.index("payment_with_events"))
                WHERE \(deadLettered) AND NOT (\(overdue))
                """
        case .time, .reference, .key, .clientAndMadeElsewhere, .column:
            preconditionFailure("ordered sources are not read whole")
        }
    }

    /// The conditions that a source does not keep by itself.
    private mutating func filters(besides source: SearchSource) -> [String] {
        var filters: [String] = source.isOrdered ? [] : [range]
        for other in sources where other != source {
            switch other {
            case .key(let key):
                filters.append(
                    """
                    EXISTS (SELECT 1 FROM search_key WHERE slot = \(key.slot)
                        AND digest = \(key.digest) AND search_key.claimed_at = payment.claimed_at
                        AND search_key.merchant_reference = payment.merchant_reference)
                    """)
            case .clientAndMadeElsewhere(let client): filters.append(condition(clientOrMadeElsewhere: client))
            case .column(let column, let value): filters.append(condition(column, value))
            case .referencePrefix(let prefix): filters.append(condition(prefix: prefix))
            case .amounts(let amounts): filters.append(condition(amounts))
            case .attention(let moment):
                let (overdue, deadLettered) = Self.conditions(overdueBefore: moment)
                filters.append("(\(overdue) OR \(deadLettered))")
            case .time, .reference: break
            }
        }
        if let command = query.command { filters.append("command = \(parameter(.text(command.rawValue)))") }
        return filters
    }

    /// The query's times, and what comes after the page before. No reference is empty.
    private var range: String {
        mutating get {
            let from = query.claimedFrom.map { EpochMilliseconds($0).milliseconds } ?? 0
            let to = query.claimedTo.map { EpochMilliseconds($0).milliseconds } ?? EpochMilliseconds.last + 1
            let times = "claimed_at >= \(from) AND claimed_at < \(to)"
            guard let after = query.after else { return times }
            let reference = parameter(.text(after.merchantReference))
            return """
                claimed_at >= \(from) AND claimed_at < \(to)
                AND (claimed_at, merchant_reference) < (\(EpochMilliseconds(after.at).milliseconds), \(reference))
                """
        }
    }

    /// By its bytes: a range of the index, in which no character stands for others.
    private mutating func condition(prefix: String) -> String {
        let start = parameter(.text(prefix))
        let reference = dialect.referenceBytes
        // The prefix is visible ASCII, so that its last byte has one after it.
        var end = Array(prefix.utf8)
        guard let last = end.popLast() else { return "merchant_reference = merchant_reference" }
        end.append(last + 1)
        return "\(reference) >= \(start) AND \(reference) < \(parameter(.text(String(decoding: end, as: UTF8.self))))"
    }

    private mutating func condition(_ column: String, _ value: SearchSource.Value) -> String {
        switch value {
        case .integer: "\(column) = \(parameter(value))"
        case .text: dialect.equals(column, parameter(value))
        }
    }

    /// A payment that was made elsewhere has an empty fingerprint.
    private mutating func condition(clientOrMadeElsewhere client: String) -> String {
        "(payment.client = \(parameter(.text(client))) OR length(payment.fingerprint) = 0)"
    }

    private func condition(_ amounts: ClosedRange<MinorUnits>) -> String {
        "amount >= \(amounts.lowerBound) AND amount <= \(amounts.upperBound)"
    }

    private static func conditions(overdueBefore moment: Date) -> (overdue: String, deadLettered: String) {
        (
            "opened_at IS NOT NULL AND opened_at < \(EpochMilliseconds(moment).milliseconds)",
            "events_waiting_since IS NOT NULL AND events_due_at IS NULL"
        )
    }

    private mutating func parameter(_ value: SearchSource.Value) -> String {
        switch value {
        case .integer(let integer): return "\(integer)"
        case .text(let text):
            texts.append(text)
            return dialect.parameter(texts.count)
        }
    }
}
