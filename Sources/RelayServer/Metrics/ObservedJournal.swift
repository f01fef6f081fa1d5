import FoundationEssentials
import PaymentRelay

/// A journal whose reads and writes are timed and whose failures are counted.
struct ObservedJournal: Journal {
    let journal: any Journal
    let metrics: RelayMetrics

    func claim(_ claim: Claim) async throws -> ClaimResult {
        try await observe(.claim) { try await journal.claim(claim) }
    }

    func record(_ payment: Payment, because entry: HistoryEntry) async throws -> Bool {
        try await observe(.record) { try await journal.record(payment, because: entry) }
    }

    func replaceEvent(_ number: Int, of merchantReference: String, with event: [UInt8]) async throws {
        try await observe(.replaceEvent) {
            try await journal.replaceEvent(number, of: merchantReference, with: event)
        }
    }

    func move(_ payment: Payment, receipt: [UInt8]?, because entry: HistoryEntry) async throws -> Bool {
        try await observe(.move) { try await journal.move(payment, receipt: receipt, because: entry) }
    }

    func replace(_ old: Payment, with new: Payment, because entry: HistoryEntry) async throws -> Bool {
        try await observe(.replace) { try await journal.replace(old, with: new, because: entry) }
    }

    func payment(_ merchantReference: String) async throws -> Payment? {
        try await observe(.payment) { try await journal.payment(merchantReference) }
    }

    func history(of merchantReference: String) async throws -> [HistoryEntry] {
        try await observe(.history) { try await journal.history(of: merchantReference) }
    }

    func lease(limit: Int, at moment: Date, until expiry: Date) async throws -> [Payment] {
        try await observe(.lease) { try await journal.lease(limit: limit, at: moment, until: expiry) }
    }

    func release(_ merchantReference: String, lease: Lease, at moment: Date) async throws {
        try await observe(.release) { try await journal.release(merchantReference, lease: lease, at: moment) }
    }

    func openPayments(limit: Int) async throws -> [Payment] {
        try await observe(.openPayments) { try await journal.openPayments(limit: limit) }
    }

    func openSummary(overdueBefore moment: Date) async throws -> OpenSummary {
        try await observe(.openSummary) { try await journal.openSummary(overdueBefore: moment) }
    }

    func paymentsHoldingCustomerData(
        claimedBefore moment: Date, after place: PaymentCursor?, limit: Int
    ) async throws -> [PaymentCursor] {
        try await observe(.paymentsHoldingCustomerData) {
            try await journal.paymentsHoldingCustomerData(claimedBefore: moment, after: place, limit: limit)
        }
    }

    func checkDurability() async throws {
        try await observe(.checkDurability) { try await journal.checkDurability() }
    }

    func observe<Result>(
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
