public import FoundationEssentials
import Observability
public import PaymentRelay

/// A journal whose reads and writes are timed, and whose errors are counted.
public struct ObservedJournal: Journal {
    private let journal: any Journal
    private let metrics: RelayMetrics

    public init(journal: any Journal, metrics: RelayMetrics) {
        self.journal = journal
        self.metrics = metrics
    }

    public func claim(_ claim: Claim) async throws(JournalError) -> ClaimResult {
        try await observe(.claim) { () async throws(JournalError) in try await journal.claim(claim) }
    }

    public func record(_ payment: Payment, because entry: HistoryEntry) async throws(JournalError) -> Bool {
        try await observe(.record) { () async throws(JournalError) in try await journal.record(payment, because: entry)
        }
    }

    public func redactEvent(_ number: Int, of merchantReference: String, to event: [UInt8]) async throws(JournalError) {
        try await observe(.redactEvent) { () async throws(JournalError) in
            try await journal.redactEvent(number, of: merchantReference, to: event)
        }
    }

    public func transition(
        _ payment: Payment, receipt: [UInt8]?, because entry: HistoryEntry
    ) async throws(JournalError) -> Bool {
        try await observe(.transition) { () async throws(JournalError) in
            try await journal.transition(payment, receipt: receipt, because: entry)
        }
    }

    public func compareAndSet(
        _ old: Payment, to new: Payment, because entry: HistoryEntry
    ) async throws(JournalError) -> Bool {
        try await observe(.compareAndSet) { () async throws(JournalError) in
            try await journal.compareAndSet(old, to: new, because: entry)
        }
    }

    public func payment(_ merchantReference: String) async throws(JournalError) -> Payment? {
        try await observe(.payment) { () async throws(JournalError) in try await journal.payment(merchantReference) }
    }

    public func history(of merchantReference: String) async throws(JournalError) -> [HistoryEntry] {
        try await observe(.history) { () async throws(JournalError) in try await journal.history(of: merchantReference)
        }
    }

    public func lease(limit: Int, at moment: Date, until expiry: Date) async throws(JournalError) -> [Payment] {
        try await observe(.lease) { () async throws(JournalError) in
            try await journal.lease(limit: limit, at: moment, until: expiry)
        }
    }

    public func release(_ merchantReference: String, lease: Lease, at moment: Date) async throws(JournalError) {
        try await observe(.release) { () async throws(JournalError) in
            try await journal.release(merchantReference, lease: lease, at: moment)
        }
    }

    public func openPayments(limit: Int) async throws(JournalError) -> [Payment] {
        try await observe(.openPayments) { () async throws(JournalError) in try await journal.openPayments(limit: limit)
        }
    }

    public func openSummary(overdueBefore moment: Date) async throws(JournalError) -> OpenSummary {
        try await observe(.openSummary) { () async throws(JournalError) in
            try await journal.openSummary(overdueBefore: moment)
        }
    }

    public func paymentsHoldingCustomerData(
        claimedBefore moment: Date, after place: PaymentCursor?, limit: Int
    ) async throws(JournalError) -> [PaymentCursor] {
        try await observe(.paymentsHoldingCustomerData) { () async throws(JournalError) in
            try await journal.paymentsHoldingCustomerData(claimedBefore: moment, after: place, limit: limit)
        }
    }

    public func search(_ query: PaymentQuery) async throws(JournalError) -> PaymentPage {
        try await observe(.search) { () async throws(JournalError) in try await journal.search(query) }
    }

    public func checkDurability() async throws(JournalError) {
        try await observe(.checkDurability) { () async throws(JournalError) in try await journal.checkDurability() }
    }

    public func purgeErased() async throws(JournalError) {
        try await observe(.purgeErased) { () async throws(JournalError) in try await journal.purgeErased() }
    }

    public func leaseEvents(limit: Int, at moment: Date, until expiry: Date) async throws(JournalError) -> [DueEvent] {
        try await observe(.leaseEvents) { () async throws(JournalError) in
            try await journal.leaseEvents(limit: limit, at: moment, until: expiry)
        }
    }

    public func acknowledge(
        _ event: DueEvent, at moment: Date, after delivery: DeliveryAttempt?
    ) async throws(JournalError) {
        try await observe(.acknowledgeEvent) { () async throws(JournalError) in
            try await journal.acknowledge(event, at: moment, after: delivery)
        }
    }

    public func postpone(
        _ event: DueEvent, until moment: Date?, after delivery: DeliveryAttempt?
    ) async throws(JournalError) {
        try await observe(.postponeEvent) { () async throws(JournalError) in
            try await journal.postpone(event, until: moment, after: delivery)
        }
    }

    public func eventProgress(of merchantReference: String) async throws(JournalError) -> EventProgress? {
        try await observe(.eventProgress) { () async throws(JournalError) in
            try await journal.eventProgress(of: merchantReference)
        }
    }

    public func eraseDeliveries(of merchantReference: String) async throws(JournalError) {
        try await observe(.eraseDeliveries) { () async throws(JournalError) in
            try await journal.eraseDeliveries(of: merchantReference)
        }
    }

    public func record(_ query: QueryWithoutChange, of merchantReference: String) async throws(JournalError) {
        try await observe(.recordQuery) { () async throws(JournalError) in
            try await journal.record(query, of: merchantReference)
        }
    }

    public func queriesWithoutChange(of merchantReference: String) async throws(JournalError) -> [QueryWithoutChange] {
        try await observe(.queriesWithoutChange) { () async throws(JournalError) in
            try await journal.queriesWithoutChange(of: merchantReference)
        }
    }

    public func resendEvents(of merchantReference: String, since: Date, at moment: Date) async throws(JournalError)
        -> Bool
    {
        try await observe(.resendEvents) { () async throws(JournalError) in
            try await journal.resendEvents(of: merchantReference, since: since, at: moment)
        }
    }

    public func resendDeadLetteredEvents(limit: Int, at moment: Date) async throws(JournalError) -> Int {
        try await observe(.resendDeadLetteredEvents) { () async throws(JournalError) in
            try await journal.resendDeadLetteredEvents(limit: limit, at: moment)
        }
    }

    public func paymentsWithEvents(since: Date, after place: PaymentCursor?, limit: Int) async throws(JournalError)
        -> [PaymentCursor]
    {
        try await observe(.paymentsWithEvents) { () async throws(JournalError) in
            try await journal.paymentsWithEvents(since: since, after: place, limit: limit)
        }
    }

    public func deadLetteredPayments(limit: Int) async throws(JournalError) -> [PaymentCursor] {
        try await observe(.deadLetteredPayments) { () async throws(JournalError) in
            try await journal.deadLetteredPayments(limit: limit)
        }
    }

    public func eventSummary() async throws(JournalError) -> EventSummary {
        try await observe(.eventSummary) { () async throws(JournalError) in try await journal.eventSummary() }
    }

    public func recordCertificateUse(_ use: CertificateUse) async throws(JournalError) {
        try await observe(.recordCertificateUse) { () async throws(JournalError) in
            try await journal.recordCertificateUse(use)
        }
    }

    public func certificateUse() async throws(JournalError) -> [CertificateUse] {
        try await observe(.certificateUse) { () async throws(JournalError) in try await journal.certificateUse() }
    }

    public func add(
        _ hint: ProcessorHint, kind: FeedbackKind, at moment: Date, limit: Int
    ) async throws(JournalError) -> Bool {
        try await observe(.addHint) { () async throws(JournalError) in
            try await journal.add(hint, kind: kind, at: moment, limit: limit)
        }
    }

    public func leaseHints(limit: Int, at moment: Date, until expiry: Date) async throws(JournalError) -> [PendingHint]
    {
        try await observe(.leaseHints) { () async throws(JournalError) in
            try await journal.leaseHints(limit: limit, at: moment, until: expiry)
        }
    }

    public func end(_ pending: PendingHint, as end: HintEnd, at moment: Date) async throws(JournalError) {
        try await observe(.endHint) { () async throws(JournalError) in
            try await journal.end(pending, as: end, at: moment)
        }
    }

    public func hintSummary() async throws(JournalError) -> HintSummary {
        try await observe(.hintSummary) { () async throws(JournalError) in try await journal.hintSummary() }
    }

    public func deleteRestedHints(before moment: Date) async throws(JournalError) {
        try await observe(.deleteRestedHints) { () async throws(JournalError) in
            try await journal.deleteRestedHints(before: moment)
        }
    }

    public func settlement(from start: Date, until end: Date) async throws(JournalError) -> Settlement {
        try await observe(.settlement) { () async throws(JournalError) in
            try await journal.settlement(from: start, until: end)
        }
    }

    public func movements(
        until end: Date, after place: MovementCursor, limit: Int
    ) async throws(JournalError) -> MovementPage {
        try await observe(.movements) { () async throws(JournalError) in
            try await journal.movements(until: end, after: place, limit: limit)
        }
    }

    public func payments(
        _ merchantReferences: [String]
    ) async throws(JournalError) -> [Result<Payment, UnreadableRecord>] {
        try await observe(.payments) { () async throws(JournalError) in try await journal.payments(merchantReferences) }
    }

    private func observe<Result>(
        _ operation: JournalOperation, _ body: () async throws(JournalError) -> Result
    ) async throws(JournalError) -> Result {
        let start = ContinuousClock.now
        let labels = JournalOperationLabels(operation: operation)
        defer { metrics.journal.record(start.duration(to: .now), labels) }
        do throws(JournalError) {
            return try await body()
        } catch {
            metrics.journalErrors.count(labels)
            throw error
        }
    }
}

/// The methods of `Journal`, as metrics name them.
enum JournalOperation: String, Sendable, CaseIterable {
    case claim
    case record
    case redactEvent = "redact_event"
    case transition
    case compareAndSet = "compare_and_set"
    case payment
    case history
    case lease
    case release
    case openPayments = "open_payments"
    case openSummary = "open_summary"
    case paymentsHoldingCustomerData = "payments_holding_customer_data"
    case search
    case checkDurability = "check_durability"
    case purgeErased = "purge_erased"
    case leaseEvents = "lease_events"
    case acknowledgeEvent = "acknowledge_event"
    case postponeEvent = "postpone_event"
    case eventProgress = "event_progress"
    case eraseDeliveries = "erase_deliveries"
    case recordQuery = "record_query"
    case queriesWithoutChange = "queries_without_change"
    case resendEvents = "resend_events"
    case resendDeadLetteredEvents = "resend_dead_lettered_events"
    case paymentsWithEvents = "payments_with_events"
    case deadLetteredPayments = "dead_lettered_payments"
    case eventSummary = "event_summary"
    case recordCertificateUse = "record_certificate_use"
    case certificateUse = "certificate_use"
    case addHint = "add_hint"
    case leaseHints = "lease_hints"
    case endHint = "end_hint"
    case hintSummary = "hint_summary"
    case deleteRestedHints = "delete_rested_hints"
    case settlement
    case movements
    case payments
}
