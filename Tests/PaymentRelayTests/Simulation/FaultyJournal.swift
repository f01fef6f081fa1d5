import Foundation
import JournalContract
import PaymentRelay

/// A journal that does some things wrong, and hands on the rest.
struct FaultyJournal: ForwardingJournal {
    let inner: any Journal
    var onClaim: (@Sendable (Claim) async throws -> ClaimResult)?
    var onTransition: (@Sendable (Payment, [UInt8]?, HistoryEntry) async throws -> Bool)?
    var onCompareAndSet: (@Sendable (Payment, Payment, HistoryEntry) async throws -> Bool)?
    var onPayment: (@Sendable (Payment) -> Payment)?
    var onHistory: (@Sendable ([HistoryEntry]) -> [HistoryEntry])?
    var onLease: (@Sendable ([Payment]) -> [Payment])?
    var onLeaseEvents: (@Sendable ([DueEvent]) async throws -> [DueEvent])?

    var target: any Journal { inner }

    func leaseEvents(limit: Int, at moment: Date, until expiry: Date) async throws(JournalError) -> [DueEvent] {
        let leased = try await inner.leaseEvents(limit: limit, at: moment, until: expiry)
        guard let onLeaseEvents else { return leased }
        return try await made { try await onLeaseEvents(leased) }
    }

    func claim(_ claim: Claim) async throws(JournalError) -> ClaimResult {
        guard let onClaim else { return try await inner.claim(claim) }
        return try await made { try await onClaim(claim) }
    }

    func transition(_ payment: Payment, receipt: [UInt8]?, because entry: HistoryEntry) async throws(JournalError)
        -> Bool
    {
        guard let onTransition else {
            return try await inner.transition(payment, receipt: receipt, because: entry)
        }
        return try await made { try await onTransition(payment, receipt, entry) }
    }

    func compareAndSet(_ old: Payment, to new: Payment, because entry: HistoryEntry) async throws(JournalError) -> Bool
    {
        guard let onCompareAndSet else { return try await inner.compareAndSet(old, to: new, because: entry) }
        return try await made { try await onCompareAndSet(old, new, entry) }
    }

    func payment(_ merchantReference: String) async throws(JournalError) -> Payment? {
        let payment = try await inner.payment(merchantReference)
        return payment.map { onPayment?($0) ?? $0 }
    }

    func history(of merchantReference: String) async throws(JournalError) -> [HistoryEntry] {
        let history = try await inner.history(of: merchantReference)
        return onHistory?(history) ?? history
    }

    func lease(limit: Int, at moment: Date, until expiry: Date) async throws(JournalError) -> [Payment] {
        let leased = try await inner.lease(limit: limit, at: moment, until: expiry)
        return onLease?(leased) ?? leased
    }

    /// What a mistake does; it throws what the journal below it throws.
    private func made<Value>(_ mistake: () async throws -> Value) async throws(JournalError) -> Value {
        do {
            return try await mistake()
        } catch let error as JournalError {
            throw error
        } catch {
            throw .unavailable(reason: "\(error)")
        }
    }
}
