public import FoundationEssentials

/// An event that is leased for delivery to the merchant's backend.
///
/// The journal is its own outbox. An event is in the entry of the history that it is about, written in the same
/// step. Each payment keeps the number of the entry up to which its events were acknowledged. So no event is lost
/// between a change and its delivery, whenever the process ends. A payment's events are delivered one after the
/// other, each only after the one before it was acknowledged.
///
/// If a payment has events that are not acknowledged, the holder of its event lease delivers the next one. This
/// lease is independent of the payment's ``Lease``. If an event was refused for too long, the payment is
/// dead-lettered: nothing is sent until an operator resends its events, or its next event happens.
public struct DueEvent: Sendable, Equatable {
    public let merchantReference: String
    /// The number of the history's entry that the event is about, counted from 1.
    public let number: Int
    /// The time of that entry (``HistoryEntry/at``), which never changes.
    public let at: Date
    /// How often the event was leased for delivery, including this lease.
    public let attempt: Int
    /// When the lease expires.
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
    /// The number of such payments, including dead-lettered ones.
    public let undelivered: Int
    /// Since when the payment that has waited longest has waited: since its last event was acknowledged, or since
    /// its first event happened.
    public let oldest: Date?
    public let deadLettered: Int

    public init(undelivered: Int = 0, oldest: Date? = nil, deadLettered: Int = 0) {
        self.undelivered = undelivered
        self.oldest = oldest
        self.deadLettered = deadLettered
    }
}

extension Journal {
    /// Makes every event that happened at `since` or later due again.
    ///
    /// - Returns: the number of payments with such events.
    public func resendEvents(since: Date, at moment: Date) async throws(JournalError) -> Int {
        try await resendEvents(of: .withEvents(since: since), since: since, at: moment)
    }

    /// Makes every waiting event of dead-lettered payments due again.
    ///
    /// - Returns: the number of payments with such events.
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
