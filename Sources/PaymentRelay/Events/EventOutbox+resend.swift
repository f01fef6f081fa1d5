public import FoundationEssentials

extension EventOutbox {
    /// Makes every event due again that happened at `since` or later.
    ///
    /// - Returns: of how many payments.
    public func resendEvents(since: Date, at moment: Date) async throws -> Int {
        var count = 0
        var place: PaymentCursor?
        while !Task.isCancelled {
            let page = try await paymentsWithEvents(since: since, after: place, limit: Self.pageSize)
            for payment in page {
                if try await resendEvents(of: payment.merchantReference, since: since, at: moment) { count += 1 }
            }
            guard page.count == Self.pageSize else { break }
            place = page.last
        }
        return count
    }

    /// Makes due again whatever waits in dead-lettered payments.
    ///
    /// - Returns: of how many payments.
    public func resendDeadLetteredEvents(at moment: Date) async throws -> Int {
        var count = 0
        while !Task.isCancelled {
            let resent = try await resendDeadLetteredEvents(limit: Self.pageSize, at: moment)
            count += resent
            if resent < Self.pageSize { break }
        }
        return count
    }

    private static var pageSize: Int { 500 }
}
