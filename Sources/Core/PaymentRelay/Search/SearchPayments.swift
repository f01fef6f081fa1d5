import FoundationEssentials
import PayrelayPrimitives
import UnderWay

extension PaymentRelay {
    /// Finds payments. Only a few searches run at once, for all clients together, so that they do not slow payments
    /// down.
    ///
    /// - Throws: ``JournalError/overloaded(reason:)`` if too many searches wait.
    public func search(_ query: PaymentQuery) async throws(JournalError) -> PaymentPage {
        try await searching(query) { query throws(JournalError) in try await journal.search(query) }
    }

    /// Returns the sums of the payments that a query describes, over all pages. Only a bounded number of the newest
    /// payments is read.
    ///
    /// - Throws: as ``search(_:)``.
    public func totals(of query: PaymentQuery) async throws(JournalError) -> PaymentTotals {
        try await searching(query) { query throws(JournalError) in try await journal.totals(of: query) }
    }

    /// Finds changes of all payments.
    ///
    /// - Throws: as ``search(_:)``.
    public func changes(_ query: ChangeQuery) async throws(JournalError) -> ChangePage {
        try await withSlot(in: searches, as: nil) { () throws(JournalError) in try await journal.changes(query) }
    }

    /// Returns the payments of the newest changes in their present state. Each is there once, the one that changed
    /// last first.
    ///
    /// - Parameter count: the number of changes to read.
    /// - Throws: as ``search(_:)``.
    public func recentlyChanged(_ count: Int) async throws(JournalError) -> [Payment] {
        var query = ChangeQuery()
        query.limit = count
        var references: [String] = []
        for change in try await changes(query).changes where !references.contains(change.merchantReference) {
            references.append(change.merchantReference)
        }
        let known = try await payments(references)
        return references.compactMap { known[$0] }
    }

    /// Returns the payments that are known and can be read, by their references.
    public func payments(_ merchantReferences: [String]) async throws(JournalError) -> [String: Payment] {
        try await journal.knownPayments(merchantReferences)
    }

    private func searching<Found>(
        _ query: PaymentQuery, _ find: (PaymentQuery) async throws(JournalError) -> Found
    ) async throws(JournalError) -> Found {
        var query = query
        query.notOverdueIn = notOverdue
        let requester: String? = if case .payments(let visible) = query.visibleTo { visible.client } else { nil }
        return try await withSlot(in: searches, as: requester) { () throws(JournalError) in try await find(query) }
    }

    /// Runs a search or a query in a slot of its limit.
    ///
    /// - Parameters:
    ///   - slots: the slots; `nil` if there is no limit.
    ///   - requester: the client; `nil` for an operator.
    /// - Throws: ``JournalError/overloaded(reason:)`` if too many wait for a slot.
    func withSlot<Found>(
        in slots: Slots<String>?, as requester: String?, _ find: () async throws(JournalError) -> Found
    ) async throws(JournalError) -> Found {
        guard let slots else { return try await find() }
        guard await slots.enter(as: requester) else {
            throw .overloaded(reason: "too many requests of this kind are under way")
        }
        defer { slots.leave() }
        return try await find()
    }
}
