public import FoundationEssentials

/// The events that the merchant's backend has not acknowledged yet.
///
/// The journal is its own outbox: an event stands in the entry of the history that it is about, written in the same
/// step, and each payment keeps up to which entry its events were acknowledged. So none is lost between a change and
/// its delivery, whenever the process ends; and a payment's events go out one after the other, the next only when the
/// one before it was acknowledged.
///
/// A payment whose events are not all acknowledged has the next one delivered by the holder of its event lease, which
/// has nothing to do with the payment's own ``Lease``. Where an event was refused for too long the payment is
/// dead-lettered: nothing is sent until an operator asks for it, or its next event comes.
public protocol EventOutbox: Sendable {
    /// Leases the next event of payments whose delivery was due by `moment`, the longest due first. No payment's event
    /// is leased twice.
    ///
    /// - Parameter expiry: later than the delivery can take; then another instance may lease it.
    func leaseEvents(limit: Int, at moment: Date, until expiry: Date) async throws(JournalError) -> [DueEvent]

    /// Makes the payment's next event due, where there is one. Without effect where the event is no longer leased so.
    /// The delivery attempt is recorded in the same step, even if another worker holds the lease by now.
    func acknowledge(
        _ event: DueEvent, at moment: Date, after delivery: DeliveryAttempt?
    ) async throws(JournalError)

    /// Makes the event due at `moment`; nil dead-letters the payment. Without effect where the event is no longer
    /// leased so. The delivery attempt, if there was one, is recorded in the same step, even if another worker holds the lease by now.
    func postpone(
        _ event: DueEvent, until moment: Date?, after delivery: DeliveryAttempt?
    ) async throws(JournalError)

    /// How far the payment's events have come, with the newest attempts at each; nil where there is no such payment. Attempts that no
    /// version of this code wrote are left out.
    func eventProgress(of merchantReference: String) async throws(JournalError) -> EventProgress?

    /// Erases the attempts at a payment's events: an answer may hold what the event did. While the payment holds no customer data,
    /// later attempts are kept without the answer.
    func eraseDeliveries(of merchantReference: String) async throws(JournalError)

    /// Makes events due at `moment` that were acknowledged before: those of a payment that happened at `since` or
    /// later.
    ///
    /// - Returns: false where there is no such payment, or no such event of it.
    func resendEvents(of merchantReference: String, since: Date, at moment: Date) async throws(JournalError) -> Bool

    /// Makes due at `moment` what waits in dead-lettered payments.
    ///
    /// - Returns: how many payments were dead-lettered; no more than `limit`.
    func resendDeadLetteredEvents(limit: Int, at moment: Date) async throws(JournalError) -> Int

    /// Payments with an event that happened at `since` or later, each once, by when the first of those happened.
    ///
    /// - Parameter place: where the last page ended; nil for the first.
    func paymentsWithEvents(since: Date, after place: PaymentCursor?, limit: Int) async throws(JournalError)
        -> [PaymentCursor]

    /// Payments that are dead-lettered, by since when their events have waited, the longest first.
    func deadLetteredPayments(limit: Int) async throws(JournalError) -> [PaymentCursor]

    /// How many payments have events that are not acknowledged.
    func eventSummary() async throws(JournalError) -> EventSummary
}

/// An event that is leased for delivery.
public struct DueEvent: Sendable, Equatable {
    public let merchantReference: String
    /// Which entry of the payment's history it is about, counted from 1.
    public let number: Int
    /// How often it was leased to be delivered, this time included.
    public let attempt: Int
    /// When the lease ends.
    public let leasedUntil: Date
    /// What stands in the entry, as ``HistoryEntry/event``.
    public let recorded: [UInt8]

    public init(merchantReference: String, number: Int, attempt: Int, leasedUntil: Date, recorded: [UInt8]) {
        self.merchantReference = merchantReference
        self.number = number
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

extension EventOutbox {
    /// Makes every event due again that happened at `since` or later.
    ///
    /// - Returns: of how many payments.
    public func resendEvents(since: Date, at moment: Date) async throws(JournalError) -> Int {
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
    public func resendDeadLetteredEvents(at moment: Date) async throws(JournalError) -> Int {
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
