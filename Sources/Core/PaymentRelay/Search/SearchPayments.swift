import FoundationEssentials
import PayrelayPrimitives
import UnderWay

extension PaymentRelay {
    /// Finds payments. Few searches run at once, over all clients, so that they take little from payments.
    ///
    /// - Throws: ``JournalError/overloaded(reason:)`` where too many searches wait.
    public func search(_ query: PaymentQuery) async throws(JournalError) -> PaymentPage {
        try await searching(query) { query throws(JournalError) in try await journal.search(query) }
    }

    /// Counts and adds up the payments that a query describes, on whatever page they are: a bounded number of the newest.
    ///
    /// - Throws: as ``search(_:)``.
    public func totals(of query: PaymentQuery) async throws(JournalError) -> PaymentTotals {
        try await searching(query) { query throws(JournalError) in try await journal.totals(of: query) }
    }

    private func searching<Found>(
        _ query: PaymentQuery, _ find: (PaymentQuery) async throws(JournalError) -> Found
    ) async throws(JournalError) -> Found {
        var query = query
        query.overdueBefore = now() - policy.overdueAfter
        let asker: String? = if case .payments(let visible) = query.visibleTo { visible.client } else { nil }
        guard await searches.enter(as: asker) else {
            throw .overloaded(reason: "too many searches are under way")
        }
        defer { searches.leave() }
        return try await find(query)
    }
}
