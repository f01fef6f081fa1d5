import Foundation
import JournalContract
import PaymentRelay

/// A journal that does some things wrong, and hands on the rest.
struct FaultyJournal: ForwardedOutbox {
    let inner: any Journal
    var onClaim: (@Sendable (Claim) async throws -> ClaimResult)?
    var onMove: (@Sendable (Payment, [UInt8]?, HistoryEntry) async throws -> Bool)?
    var onReplace: (@Sendable (Payment, Payment, HistoryEntry) async throws -> Bool)?
    var onPayment: (@Sendable (Payment) -> Payment)?
    var onHistory: (@Sendable ([HistoryEntry]) -> [HistoryEntry])?
    var onLease: (@Sendable ([Payment]) -> [Payment])?
    var onLeaseEvents: (@Sendable ([DueEvent]) async throws -> [DueEvent])?

    var outbox: any EventOutbox { inner }

    func leaseEvents(limit: Int, at moment: Date, until expiry: Date) async throws -> [DueEvent] {
        let leased = try await inner.leaseEvents(limit: limit, at: moment, until: expiry)
        return try await onLeaseEvents?(leased) ?? leased
    }

    func claim(_ claim: Claim) async throws -> ClaimResult {
        guard let onClaim else { return try await inner.claim(claim) }
        return try await onClaim(claim)
    }

    func move(_ payment: Payment, receipt: [UInt8]?, because entry: HistoryEntry) async throws -> Bool {
        guard let onMove else {
            return try await inner.move(payment, receipt: receipt, because: entry)
        }
        return try await onMove(payment, receipt, entry)
    }

    func replace(_ old: Payment, with new: Payment, because entry: HistoryEntry) async throws -> Bool {
        guard let onReplace else { return try await inner.replace(old, with: new, because: entry) }
        return try await onReplace(old, new, entry)
    }

    func record(_ payment: Payment, because entry: HistoryEntry) async throws -> Bool {
        try await inner.record(payment, because: entry)
    }

    func replaceEvent(_ number: Int, of merchantReference: String, with event: [UInt8]) async throws {
        try await inner.replaceEvent(number, of: merchantReference, with: event)
    }

    func payment(_ merchantReference: String) async throws -> Payment? {
        let payment = try await inner.payment(merchantReference)
        return payment.map { onPayment?($0) ?? $0 }
    }

    func history(of merchantReference: String) async throws -> [HistoryEntry] {
        let history = try await inner.history(of: merchantReference)
        return onHistory?(history) ?? history
    }

    func lease(limit: Int, at moment: Date, until expiry: Date) async throws -> [Payment] {
        let leased = try await inner.lease(limit: limit, at: moment, until: expiry)
        return onLease?(leased) ?? leased
    }

    func release(_ merchantReference: String, lease: Lease, at moment: Date) async throws {
        try await inner.release(merchantReference, lease: lease, at: moment)
    }

    func openPayments(limit: Int) async throws -> [Payment] {
        try await inner.openPayments(limit: limit)
    }

    func openSummary(overdueBefore moment: Date) async throws -> OpenSummary {
        try await inner.openSummary(overdueBefore: moment)
    }

    func paymentsHoldingCustomerData(
        claimedBefore moment: Date, after place: PaymentCursor?, limit: Int
    ) async throws -> [PaymentCursor] {
        try await inner.paymentsHoldingCustomerData(claimedBefore: moment, after: place, limit: limit)
    }

    func checkDurability() async throws { try await inner.checkDurability() }
}
