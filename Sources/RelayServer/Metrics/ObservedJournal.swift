public import FoundationEssentials
import Observability
public import PaymentRelay

/// A journal whose reads and writes are timed and whose failures are counted.
public struct ObservedJournal: Journal {
    private let journal: any Journal
    private let metrics: RelayMetrics

    public init(journal: any Journal, metrics: RelayMetrics) {
        self.journal = journal
        self.metrics = metrics
    }

    public func claim(_ claim: Claim) async throws -> ClaimResult {
        try await observe(.claim) { try await journal.claim(claim) }
    }

    public func record(_ payment: Payment, because entry: HistoryEntry) async throws -> Bool {
        try await observe(.record) { try await journal.record(payment, because: entry) }
    }

    public func replaceEvent(_ number: Int, of merchantReference: String, with event: [UInt8]) async throws {
        try await observe(.replaceEvent) {
            try await journal.replaceEvent(number, of: merchantReference, with: event)
        }
    }

    public func move(_ payment: Payment, receipt: [UInt8]?, because entry: HistoryEntry) async throws -> Bool {
        try await observe(.move) { try await journal.move(payment, receipt: receipt, because: entry) }
    }

    public func replace(_ old: Payment, with new: Payment, because entry: HistoryEntry) async throws -> Bool {
        try await observe(.replace) { try await journal.replace(old, with: new, because: entry) }
    }

    public func payment(_ merchantReference: String) async throws -> Payment? {
        try await observe(.payment) { try await journal.payment(merchantReference) }
    }

    public func history(of merchantReference: String) async throws -> [HistoryEntry] {
        try await observe(.history) { try await journal.history(of: merchantReference) }
    }

    public func lease(limit: Int, at moment: Date, until expiry: Date) async throws -> [Payment] {
        try await observe(.lease) { try await journal.lease(limit: limit, at: moment, until: expiry) }
    }

    public func release(_ merchantReference: String, lease: Lease, at moment: Date) async throws {
        try await observe(.release) { try await journal.release(merchantReference, lease: lease, at: moment) }
    }

    public func openPayments(limit: Int) async throws -> [Payment] {
        try await observe(.openPayments) { try await journal.openPayments(limit: limit) }
    }

    public func openSummary(overdueBefore moment: Date) async throws -> OpenSummary {
        try await observe(.openSummary) { try await journal.openSummary(overdueBefore: moment) }
    }

    public func paymentsHoldingCustomerData(
        claimedBefore moment: Date, after place: PaymentCursor?, limit: Int
    ) async throws -> [PaymentCursor] {
        try await observe(.paymentsHoldingCustomerData) {
            try await journal.paymentsHoldingCustomerData(claimedBefore: moment, after: place, limit: limit)
        }
    }

    public func checkDurability() async throws {
        try await observe(.checkDurability) { try await journal.checkDurability() }
    }

    public func leaseEvents(limit: Int, at moment: Date, until expiry: Date) async throws -> [DueEvent] {
        try await observe(.leaseEvents) { try await journal.leaseEvents(limit: limit, at: moment, until: expiry) }
    }

    public func acknowledge(_ event: DueEvent, at moment: Date) async throws {
        try await observe(.acknowledgeEvent) { try await journal.acknowledge(event, at: moment) }
    }

    public func postpone(_ event: DueEvent, until moment: Date?) async throws {
        try await observe(.postponeEvent) { try await journal.postpone(event, until: moment) }
    }

    public func resendEvents(of merchantReference: String, since: Date, at moment: Date) async throws -> Bool {
        try await observe(.resendEvents) {
            try await journal.resendEvents(of: merchantReference, since: since, at: moment)
        }
    }

    public func resendDeadLetteredEvents(limit: Int, at moment: Date) async throws -> Int {
        try await observe(.resendDeadLetteredEvents) {
            try await journal.resendDeadLetteredEvents(limit: limit, at: moment)
        }
    }

    public func paymentsWithEvents(since: Date, after place: PaymentCursor?, limit: Int) async throws -> [PaymentCursor]
    {
        try await observe(.paymentsWithEvents) {
            try await journal.paymentsWithEvents(since: since, after: place, limit: limit)
        }
    }

    public func eventSummary() async throws -> EventSummary {
        try await observe(.eventSummary) { try await journal.eventSummary() }
    }

    private func observe<Result>(
        _ operation: JournalOperation, _ body: () async throws -> Result
    ) async throws -> Result {
        let start = ContinuousClock.now
        let labels = JournalOperationLabels(operation: operation)
        defer { metrics.journal.record(start.duration(to: .now), labels) }
        do {
            return try await body()
        } catch {
            metrics.journalErrors.count(labels)
            throw error
        }
    }
}

/// What is done with the journal, one for each of the protocol's methods.
enum JournalOperation: String, Sendable, CaseIterable {
    case claim
    case record
    case replaceEvent = "replace_event"
    case move
    case replace
    case payment
    case history
    case lease
    case release
    case openPayments = "open_payments"
    case openSummary = "open_summary"
    case paymentsHoldingCustomerData = "payments_holding_customer_data"
    case checkDurability = "check_durability"
    case leaseEvents = "lease_events"
    case acknowledgeEvent = "acknowledge_event"
    case postponeEvent = "postpone_event"
    case resendEvents = "resend_events"
    case resendDeadLetteredEvents = "resend_dead_lettered_events"
    case paymentsWithEvents = "payments_with_events"
    case eventSummary = "event_summary"
}
