public import Foundation
public import PaymentRelay

/// A journal for tests that stands before another one and leaves to it what the test does not look at.
public protocol ForwardingJournal: Journal {
    var target: any Journal { get }
}

extension ForwardingJournal {
    public func leaseEvents(limit: Int, at moment: Date, until expiry: Date) async throws(JournalError) -> [DueEvent] {
        try await target.leaseEvents(limit: limit, at: moment, until: expiry)
    }

    public func acknowledge(
        _ event: DueEvent, at moment: Date, after delivery: DeliveryAttempt?
    ) async throws(JournalError) {
        try await target.acknowledge(event, at: moment, after: delivery)
    }

    public func postpone(
        _ event: DueEvent, until moment: Date?, after delivery: DeliveryAttempt?
    ) async throws(JournalError) {
        try await target.postpone(event, until: moment, after: delivery)
    }

    public func eventProgress(of merchantReference: String) async throws(JournalError) -> EventProgress? {
        try await target.eventProgress(of: merchantReference)
    }

    public func eraseDeliveries(of merchantReference: String) async throws(JournalError) {
        try await target.eraseDeliveries(of: merchantReference)
    }

    public func record(_ query: QueryWithoutChange, of merchantReference: String) async throws(JournalError) {
        try await target.record(query, of: merchantReference)
    }

    public func queriesWithoutChange(of merchantReference: String) async throws(JournalError) -> [QueryWithoutChange] {
        try await target.queriesWithoutChange(of: merchantReference)
    }

    public func resendEvents(of merchantReference: String, since: Date, at moment: Date) async throws(JournalError)
        -> Bool
    {
        try await target.resendEvents(of: merchantReference, since: since, at: moment)
    }

    public func resendDeadLetteredEvents(limit: Int, at moment: Date) async throws(JournalError) -> Int {
        try await target.resendDeadLetteredEvents(limit: limit, at: moment)
    }

    public func paymentsWithEvents(since: Date, after place: PaymentCursor?, limit: Int) async throws(JournalError)
        -> [PaymentCursor]
    {
        try await target.paymentsWithEvents(since: since, after: place, limit: limit)
    }

    public func deadLetteredPayments(limit: Int) async throws(JournalError) -> [PaymentCursor] {
        try await target.deadLetteredPayments(limit: limit)
    }

    public func eventSummary() async throws(JournalError) -> EventSummary {
        try await target.eventSummary()
    }

    public func recordCertificateUse(_ use: CertificateUse) async throws(JournalError) {
        try await target.recordCertificateUse(use)
    }

    public func certificateUse() async throws(JournalError) -> [CertificateUse] {
        try await target.certificateUse()
    }

    public func settlement(from start: Date, until end: Date) async throws(JournalError) -> Settlement {
        try await target.settlement(from: start, until: end)
    }

    public func movements(until end: Date, after place: MovementCursor, limit: Int) async throws(JournalError)
        -> MovementPage
    {
        try await target.movements(until: end, after: place, limit: limit)
    }

    public func payments(_ merchantReferences: [String]) async throws(JournalError)
        -> [Result<Payment, UnreadableRecord>]
    {
        try await target.payments(merchantReferences)
    }

    public func search(_ query: PaymentQuery) async throws(JournalError) -> PaymentPage {
        try await target.search(query)
    }
}
