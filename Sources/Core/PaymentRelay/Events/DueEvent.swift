public import FoundationEssentials

/// An event that is leased for delivery to the merchant's backend.
///
/// The journal is its own outbox: an event stands in the entry of the history that it is about, written in the same
/// step, and each payment keeps up to which entry its events were acknowledged. So none is lost between a change and
/// its delivery, whenever the process ends; and a payment's events go out one after the other, the next only when the
/// one before it was acknowledged.
///
/// A payment whose events are not all acknowledged has the next one delivered by the holder of its event lease, which
/// has nothing to do with the payment's own ``Lease``. Where an event was refused for too long the payment is
/// dead-lettered: nothing is sent until an operator asks for it, or its next event comes.
public struct DueEvent: Sendable, Equatable {
    public let merchantReference: String
    /// Which entry of the payment's history it is about, counted from 1.
    public let number: Int
    /// The time of that entry (``HistoryEntry/at``), which never changes.
    public let at: Date
    /// How often it was leased to be delivered, this time included.
    public let attempt: Int
    /// When the lease ends.
    public let leasedUntil: Date
    /// The event's JSON bytes in the history entry (``HistoryEntry/event``).
    public let recorded: [UInt8]

    public init(
        merchantReference: String, number: Int, at: Date, attempt: Int, leasedUntil: Date, recorded: [UInt8]
    ) {
        self.merchantReference = merchantReference
        self.number = number
        self.at = at
        self.attempt = attempt
        self.leasedUntil = leasedUntil
        self.recorded = recorded
    }
}

/// How many payments have events that are not acknowledged.
public struct EventSummary: Sendable, Equatable {
    /// Dead-lettered ones included.
    public let undelivered: Int
    /// Since when the oldest has waited: since its last event was acknowledged, or since its first one.
    public let oldest: Date?
    public let deadLettered: Int

    public init(undelivered: Int = 0, oldest: Date? = nil, deadLettered: Int = 0) {
        self.undelivered = undelivered
        self.oldest = oldest
        self.deadLettered = deadLettered
    }
}

extension Journal {
    /// Makes every event due again that happened at `since` or later.
    ///
    /// - Returns: of how many payments.
    public func resendEvents(since: Date, at moment: Date) async throws(JournalError) -> Int {
        try await resendEvents(of: .withEvents(since: since), since: since, at: moment)
    }

    /// Makes every event due again that waits in a dead-lettered payment.
    ///
    /// - Returns: of how many payments.
    public func resendDeadLetteredEvents(at moment: Date) async throws(JournalError) -> Int {
        try await resendEvents(of: .deadLettered, since: nil, at: moment)
    }

    private func resendEvents(
        of list: PaymentList, since: Date?, at moment: Date
    ) async throws(JournalError) -> Int {
        var count = 0
        var place: PaymentCursor?
        while !Task.isCancelled {
            let page = try await self.list(list, after: place, limit: Self.pageSize)
            for payment in page {
                if try await resendEvents(of: payment.merchantReference, since: since, at: moment) { count += 1 }
            }
            guard page.count == Self.pageSize else { break }
            place = page.last
        }
        return count
    }

    private static var pageSize: Int { 500 }
}
