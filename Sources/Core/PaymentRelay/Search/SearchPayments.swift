import FoundationEssentials
import PayrelayPrimitives
import UnderWay

extension PaymentRelay {
    /// Finds payments. Few searches run at once, over all clients, so that they take little from payments.
    ///
    /// - Throws: ``JournalError/overloaded(reason:)`` where too many searches wait.
    public func search(_ query: PaymentQuery) async throws(JournalError) -> PaymentPage {
        var query = query
        query.overdueBefore = now() - policy.overdueAfter
        let asker: String? = if case .payments(let visible) = query.visibleTo { visible.client } else { nil }
        guard await searches.enter(as: asker) else {
            throw .overloaded(reason: "too many searches are under way")
        }
        defer { searches.leave() }
        return try await journal.search(query)
    }
}
