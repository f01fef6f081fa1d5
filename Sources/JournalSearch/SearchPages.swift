import FoundationEssentials
public import PaymentRelay

/// A row that a search found.
public struct FoundPayment: Sendable {
    /// Nil where not even that can be read.
    public let place: PaymentCursor?
    public let payment: Result<Payment, UnreadableRecord>

    public init(place: PaymentCursor?, payment: Result<Payment, UnreadableRecord>) {
        self.place = place
        self.payment = payment
    }
}

/// A database that answers the statements of a search.
public protocol SearchableDatabase: Sendable {
    static var dialect: SearchDialect { get }
    func payments(_ statement: SearchStatement) async throws(JournalError) -> [FoundPayment]
    /// The column `count` of its one row.
    func count(_ statement: SearchStatement) async throws(JournalError) -> Int
    /// The columns `at` and `merchant_reference` of its row; nil where it has none.
    func place(_ statement: SearchStatement) async throws(JournalError) -> PaymentCursor?
}

/// The rows of a page.
public struct FoundPage: Sendable {
    public let payments: [Result<Payment, UnreadableRecord>]
    public let next: PaymentCursor?
}

extension SearchableDatabase {
    /// Finds the next page of a query in a bounded number of steps.
    ///
    /// Of what the query can be read by, the source with the fewest payments is taken, counted up to a bound. Where it has no more
    /// than that, the page is exact. Where each has more, a bounded number of the newest payments of one is looked at (``SearchBounds``),
    /// and the page ends where that ends: with few payments or none, and a cursor that goes on.
    public func page(of query: PaymentQuery) async throws(JournalError) -> FoundPage {
        guard query.isPossible else { return FoundPage(payments: [], next: nil) }
        let writer = SearchWriter(query, in: Self.dialect)
        let source = try await source(of: writer)
        // One more than the page has, which says that there are others.
        let wanted = query.limit + 1
        guard source.isOrdered else {
            return try await page(
                of: payments(writer.payments(source, within: Self.dialect.bounds, limit: wanted)), limit: query.limit)
        }
        if writer.isWhole(source) {
            let bounds = SearchBounds(entries: wanted, payments: wanted)
            return try await page(
                of: payments(writer.payments(source, within: bounds, limit: wanted)), limit: query.limit)
        }
        var last = FoundPage(payments: [], next: nil)
        let first = SearchBounds(entries: Self.scannedFirst + wanted, payments: Self.scannedFirst + wanted)
        for bounds in [first, Self.dialect.bounds] {
            let found = try await payments(writer.payments(source, within: bounds, limit: wanted))
            last = page(of: found, limit: query.limit)
            if found.count == wanted { return last }
            var end: PaymentCursor?
            for statement in writer.ends(of: source, within: bounds) where end == nil {
                end = try await place(statement)
            }
            guard let end else { return last }
            last = FoundPage(payments: last.payments, next: end)
        }
        return last
    }

    /// How many payments are looked at first for a page that has filters besides its source: most pages have enough of them.
    private static var scannedFirst: Int { 400 }

    private func source(of writer: SearchWriter) async throws(JournalError) -> SearchSource {
        let sources = writer.sources
        guard let first = sources.first else { return .time }
        if sources.count == 1, first.isOrdered { return first }
        if case .reference = first { return first }
        var best = SearchSource.time
        var fewest = Int.max
        for source in sources {
            let most = Self.dialect.bounds.payments
            let count = try await count(writer.count(source, upTo: most + 1))
            // What is not in order has to be read whole.
            guard count <= most || source.isOrdered else { continue }
            if count < fewest { (best, fewest) = (source, count) }
            if count < 100 { break }
        }
        return best
    }

    private func page(of found: [FoundPayment], limit: Int) -> FoundPage {
        let shown = found.prefix(limit)
        return FoundPage(
            payments: shown.map(\.payment),
            next: found.count > limit ? shown.last { $0.place != nil }.flatMap(\.place) : nil)
    }
}
