import FoundationEssentials
import PaymentRelay

/// A journal whose reads and writes are timed and whose failures are counted.
struct ObservedJournal: Journal {
    let journal: any Journal
    let metrics: RelayMetrics

    func claim(_ claim: Claim) async throws(JournalError) -> ClaimResult {
        try await observe(.claim) { () async throws(JournalError) in try await journal.claim(claim) }
    }

    func record(_ payment: Payment, because entry: HistoryEntry) async throws(JournalError) -> Bool {
        try await observe(.record) { () async throws(JournalError) in try await journal.record(payment, because: entry)
        }
    }

    func redactEvent(_ number: Int, of merchantReference: String, to event: [UInt8]) async throws(JournalError) {
        try await observe(.redactEvent) { () async throws(JournalError) in
            try await journal.redactEvent(number, of: merchantReference, to: event)
        }
    }

    func transition(
        _ payment: Payment, receipt: [UInt8]?, because entry: HistoryEntry
    ) async throws(JournalError) -> Bool {
        try await observe(.transition) { () async throws(JournalError) in
            try await journal.transition(payment, receipt: receipt, because: entry)
        }
    }

    func compareAndSet(
        _ old: Payment, to new: Payment, because entry: HistoryEntry
    ) async throws(JournalError) -> Bool {
        try await observe(.compareAndSet) { () async throws(JournalError) in
            try await journal.compareAndSet(old, to: new, because: entry)
        }
    }

    func payment(_ merchantReference: String) async throws(JournalError) -> Payment? {
        try await observe(.payment) { () async throws(JournalError) in try await journal.payment(merchantReference) }
    }

    func history(of merchantReference: String) async throws(JournalError) -> [HistoryEntry] {
        try await observe(.history) { () async throws(JournalError) in try await journal.history(of: merchantReference)
        }
    }

    func lease(limit: Int, at moment: Date, until expiry: Date) async throws(JournalError) -> [Payment] {
        try await observe(.lease) { () async throws(JournalError) in
            try await journal.lease(limit: limit, at: moment, until: expiry)
        }
    }

    func release(_ merchantReference: String, lease: Lease, at moment: Date) async throws(JournalError) {
        try await observe(.release) { () async throws(JournalError) in
            try await journal.release(merchantReference, lease: lease, at: moment)
        }
    }

    func openPayments(limit: Int) async throws(JournalError) -> [Payment] {
        try await observe(.openPayments) { () async throws(JournalError) in try await journal.openPayments(limit: limit)
        }
    }

    func openSummary(overdueBefore moment: Date) async throws(JournalError) -> OpenSummary {
        try await observe(.openSummary) { () async throws(JournalError) in
            try await journal.openSummary(overdueBefore: moment)
        }
    }

    func paymentsHoldingCustomerData(
        claimedBefore moment: Date, after place: PaymentCursor?, limit: Int
    ) async throws(JournalError) -> [PaymentCursor] {
        try await observe(.paymentsHoldingCustomerData) { () async throws(JournalError) in
            try await journal.paymentsHoldingCustomerData(claimedBefore: moment, after: place, limit: limit)
        }
    }

    func checkDurability() async throws(JournalError) {
        try await observe(.checkDurability) { () async throws(JournalError) in try await journal.checkDurability() }
    }

    func observe<Result>(
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
