import FoundationEssentials
public import PaymentRelay
import PayrelayPrimitives

extension SQLJournal {
    /// Finds a page in a bounded number of steps, like ``search(_:)``. If a filter has no index, only a bounded
    /// number of the newest entries is read, and the page ends at the last of them.
    public func changes(_ query: ChangeQuery) async throws(JournalError) -> ChangePage {
        let feed = ChangeFeed(query, bound: driver.dialect.rowsPerPage)
        // As in a search, the end is found first.
        var end: ChangeCursor?
        if !feed.isWhole {
            end = try await read(.changes, feed.end.statement, feed.end.values).first
                .flatMap { ChangeCursor(reading: $0) }
        }
        let page = feed.page(downTo: end)
        let rows = try await read(.changes, page.statement, page.values)
        let changes = rows.prefix(query.limit).map { row in
            Result { () throws(UnreadableRecord) in try RecordedChange(row: row) }
        }.readable(onUnreadable)
        if rows.count > query.limit {
            return ChangePage(changes: changes, next: ChangeCursor(reading: rows[query.limit - 1]))
        }
        return ChangePage(changes: changes, next: end)
    }
}

extension RecordedChange {
    fileprivate init(row: Row) throws(UnreadableRecord) {
        let before = try row.optionalText("state_before")
        self.init(
            merchantReference: row.reference, currency: try row.text("currency"),
            account: try row.optionalText("account"), gateway: try row.text("gateway"),
            entry: try HistoryEntry(row: row, of: row.reference),
            stateBefore: try before.map { before throws(UnreadableRecord) in
                try row.required("state_before", PaymentState(rawValue: before))
            },
            moved: Balance(
                captured: try row.required("captured_now", MinorUnits(row.optionalInteger("captured_now") ?? 0)),
                refunded: try row.required("refunded_now", MinorUnits(row.optionalInteger("refunded_now") ?? 0))))
        guard currency.isCurrencyCode else { throw row.unreadable("currency") }
    }
}

extension ChangeCursor {
    /// Reads the place of a row; `nil` if the row's time or number cannot be read.
    fileprivate init?(reading row: Row) {
        guard let at = try? row.moment("at"), let number = try? row.integer("number") else { return nil }
        self.init(at: at, merchantReference: row.reference, number: number)
    }
}

/// The statements of a feed of changes. Every value that an operator chose is a parameter.
struct ChangeFeed {
    /// The access path by which the entries are read. Each has the order of a page.
    enum Source: Equatable {
        case payment(String)
        case operators
        case kind(EntryKind)
        case time
    }

    private let query: ChangeQuery
    /// How many entries of the source are read.
    private let bound: Int
    let source: Source

    init(_ query: ChangeQuery, bound: Int) {
        self.query = query
        self.bound = bound
        source =
            if let reference = query.merchantReference { .payment(reference) } else if query.operators != nil {
                .operators
            } else if let kind = query.kind?.entryKind { .kind(kind) } else { .time }
    }

    /// Whether the query matches every entry of the source.
    var isWhole: Bool {
        var writer = ChangeWriter()
        return writer.filters(of: query, besides: source).isEmpty
    }

    /// Returns the query for a page: the first matching entries among those of the source that are read, one more
    /// than the page has.
    ///
    /// - Parameter end: the result of ``end``. If it is `nil`, there were fewer entries than the bound, and there
    ///   cannot be twice as many by now.
    func page(downTo end: ChangeCursor?) -> Search.Query {
        var writer = ChangeWriter()
        let filters = writer.filters(of: query, besides: source)
        let limit = if filters.isEmpty { query.limit + 1 } else if end == nil { 2 * bound } else { Int.max }
        let entries = writer.entries(source, query, downTo: end, limit: limit)
        let condition = filters.isEmpty ? "" : "WHERE \(filters.joined(separator: " AND "))"
        return writer.query(
            """
            SELECT \(Self.columns), \(Self.ofPayment("currency")) AS currency, \(Self.ofPayment("account")) AS account,
                \(Self.ofPayment("gateway")) AS gateway, \(Self.stateBefore) AS state_before,
                \(Self.moved(.charged)) AS captured_now, \(Self.moved(.refunded)) AS refunded_now
            FROM (\(entries)) AS entry \(condition) \(Self.order) LIMIT \(query.limit + 1)
            """)
    }

    /// The query for the place of the last entry that is read. It has no result if there are fewer entries.
    var end: Search.Query {
        var writer = ChangeWriter()
        let entries = writer.entries(source, query, limit: bound, columns: "at, merchant_reference, number")
        return writer.query("SELECT * FROM (\(entries)) AS entry \(Self.order) LIMIT 1 OFFSET \(bound - 1)")
    }

    /// The columns of an entry, except its event and receipt, which no list shows.
    fileprivate static let columns =
        """
        merchant_reference, number, at, state, captured, refunded, source, kind, operation, operation_state, reason,
        request_identifier, operator, times, since
        """

    fileprivate static let order = "ORDER BY at DESC, merchant_reference DESC, number DESC"

    /// Returns a column of the entry's payment. It is looked up by the primary key for each row, so that no plan
    /// depends on the number of payments.
    fileprivate static func ofPayment(_ column: String) -> String {
        "(SELECT payment.\(column) FROM payment WHERE payment.merchant_reference = entry.merchant_reference)"
    }

    fileprivate static let stateBefore = """
        (SELECT earlier.state FROM history AS earlier WHERE earlier.merchant_reference = entry.merchant_reference
            AND earlier.number < entry.number ORDER BY earlier.number DESC LIMIT 1)
        """

    /// Returns the amount that an entry moved, from its movement. A difference of totals would not do, because the
    /// entry before may be in the archive. Movements stay in the journal.
    private static func moved(_ kind: Movement.Kind) -> String {
        """
        (SELECT movement.amount FROM movement WHERE movement.at = entry.at
            AND movement.merchant_reference = entry.merchant_reference AND movement.entry = entry.number
            AND movement.kind = \(kind.rawValue))
        """
    }
}

/// Writes a statement and collects its values.
private struct ChangeWriter {
    private var values: [Value] = []

    func query(_ sql: String) -> Search.Query {
        Search.Query(statement: Statement(nil, isRepeatable: true, sql), values: values)
    }

    /// Returns the SQL of a query for the newest entries of a source: of one payment, of operators, of a kind, or of
    /// all. Filters that the source does not imply are not in it.
    mutating func entries(
        _ source: ChangeFeed.Source, _ query: ChangeQuery, downTo end: ChangeCursor? = nil, limit: Int,
        columns: String = ChangeFeed.columns
    ) -> String {
        let (index, condition): (String?, String?) =
            switch source {
            case .payment(let reference): (nil, "merchant_reference = \(parameter(.text(reference)))")
            case .operators: ("history_by_operator", Self.isOperators)
            case .kind(let kind): ("history_by_kind", isOf(kind) + " AND \(Self.isIndexed)")
            case .time: ("history_by_time", nil)
            }
        let conditions = [condition].compactMap(\.self) + range(query, downTo: end)
        return """
            SELECT \(columns) FROM history\(index.map { " INDEXED BY \($0)" } ?? "")
            WHERE \(conditions.joined(separator: " AND ")) \(ChangeFeed.order) LIMIT \(limit)
            """
    }

    /// Returns the conditions for the query's times and for the entries after the previous page. There is one lower
    /// and one upper bound, because SQLite uses only the first of two for its seek. An entry without a valid time
    /// is in no page.
    private mutating func range(_ query: ChangeQuery, downTo end: ChangeCursor?) -> [String] {
        let from =
            if let end { "(at, merchant_reference, number) >= \(place(end))" } else {
                "at >= \(parameter(.moment(query.from ?? .distantPast)))"
            }
        if let after = query.after, query.to.map({ after.at < $0 }) ?? true {
            return [from, "(at, merchant_reference, number) < \(place(after))"]
        }
        let to = query.to.map { "at < \(parameter(.moment($0)))" }
        return [from, to ?? "at <= \(EpochMilliseconds.last)"]
    }

    private mutating func place(_ cursor: ChangeCursor) -> String {
        let (at, reference) = (parameter(.moment(cursor.at)), parameter(.text(cursor.merchantReference)))
        return "(\(at), \(reference), \(parameter(.integer(cursor.number))))"
    }

    /// Returns the conditions for all filters that the source does not fulfil by itself.
    mutating func filters(of query: ChangeQuery, besides source: ChangeFeed.Source) -> [String] {
        var filters: [String] = []
        if let account = query.account {
            filters.append("\(ChangeFeed.ofPayment("account")) = \(parameter(.text(account)))")
        }
        if query.operators != nil, source != .operators { filters.append(Self.isOperators) }
        if case .named(let name) = query.operators {
            filters.append("operator = \(parameter(.text(name)))")
        }
        switch query.kind {
        case nil: break
        case .outcome: filters.append("coalesce(\(ChangeFeed.stateBefore), '') <> state")
        case let kind?:
            if let kind = kind.entryKind, source != .kind(kind) { filters.append(isOf(kind)) }
        }
        return filters
    }

    private mutating func isOf(_ kind: EntryKind) -> String { "kind = \(parameter(.text(kind.text)))" }

    /// The conditions of the indexes, as in ``Schema``.
    private static let isOperators = "operator IS NOT NULL"
    private static let isIndexed = "kind <> 'claim' AND kind <> 'charge'"

    private mutating func parameter(_ value: Value) -> String {
        values.append(value)
        return "$\(values.count)"
    }
}
