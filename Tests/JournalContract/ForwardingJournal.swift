public import Foundation
public import PaymentRelay

/// A journal for tests that stands before another one and leaves to it what the test does not look at.
public protocol ForwardingJournal: Journal {
    var target: any Journal { get }
}

extension ForwardingJournal {
    public func claim(_ claim: Claim) async throws(JournalError) -> ClaimResult { try await target.claim(claim) }

    public func record(_ payment: Payment, because entry: HistoryEntry) async throws(JournalError) -> Bool {
        try await target.record(payment, because: entry)
    }

    public func transition(
        _ payment: Payment, receipt: [UInt8]?, because entry: HistoryEntry
    ) async throws(JournalError) -> Bool {
        try await target.transition(payment, receipt: receipt, because: entry)
    }

    public func compareAndSet(
        _ old: Payment, to new: Payment, because entry: HistoryEntry
    ) async throws(JournalError) -> Bool {
        try await target.compareAndSet(old, to: new, because: entry)
    }

    public func redactEvent(
        _ number: Int, of merchantReference: String, to event: [UInt8]
    ) async throws(JournalError) {
        try await target.redactEvent(number, of: merchantReference, to: event)
    }

    public func payment(_ merchantReference: String) async throws(JournalError) -> Payment? {
        try await target.payment(merchantReference)
    }

    public func history(of merchantReference: String) async throws(JournalError) -> [HistoryEntry] {
        try await target.history(of: merchantReference)
    }

    public func lease(limit: Int, at moment: Date, until expiry: Date) async throws(JournalError) -> [Payment] {
        try await target.lease(limit: limit, at: moment, until: expiry)
    }

    public func release(_ merchantReference: String, lease: Lease, at moment: Date) async throws(JournalError) {
        try await target.release(merchantReference, lease: lease, at: moment)
    }

    public func openPayments(limit: Int) async throws(JournalError) -> [Payment] {
        try await target.openPayments(limit: limit)
    }

    public func openSummary(overdueBefore moment: Date) async throws(JournalError) -> OpenSummary {
        try await target.openSummary(overdueBefore: moment)
    }

    public func paymentsHoldingCustomerData(
        claimedBefore moment: Date, after place: PaymentCursor?, limit: Int
    ) async throws(JournalError) -> [PaymentCursor] {
        try await target.paymentsHoldingCustomerData(claimedBefore: moment, after: place, limit: limit)
    }

    public func checkDurability() async throws(JournalError) { try await target.checkDurability() }

    public func purgeErased() async throws(JournalError) { try await target.purgeErased() }

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

    public func add(
        _ hint: ProcessorHint, kind: FeedbackKind, at moment: Date, limit: Int
    ) async throws(JournalError) -> Bool {
        try await target.add(hint, kind: kind, at: moment, limit: limit)
    }

    public func leaseHints(limit: Int, at moment: Date, until expiry: Date) async throws(JournalError) -> [PendingHint]
    {
        try await target.leaseHints(limit: limit, at: moment, until: expiry)
    }

    public func end(_ pending: PendingHint, as end: HintEnd, at moment: Date) async throws(JournalError) {
        try await target.end(pending, as: end, at: moment)
    }

    public func hintSummary() async throws(JournalError) -> HintSummary { try await target.hintSummary() }

    public func deleteRestedHints(before moment: Date) async throws(JournalError) {
        try await target.deleteRestedHints(before: moment)
    }
}
