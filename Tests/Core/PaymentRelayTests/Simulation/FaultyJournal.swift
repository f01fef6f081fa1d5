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

    func claim(_ claim: Claim) async throws(JournalError) -> ClaimResult {
        guard let onClaim else { return try await inner.claim(claim) }
        return try await made { try await onClaim(claim) }
    }

    func commit(_ change: JournaledChange, if condition: ChangeCondition) async throws(JournalError) -> Bool {
        switch condition {
        case .sameState:
            if let onTransition, let from = change.from {
                return try await made { try await onTransition(from, change.to.receipt, change.entry) }
            }
        case .sameVersion:
            if let onCompareAndSet, let from = change.from {
                return try await made { try await onCompareAndSet(from, change.to, change.entry) }
            }
        }
        return try await inner.commit(change, if: condition)
    }

    func payments(_ merchantReferences: [String]) async throws(JournalError) -> [Result<Payment, UnreadableRecord>] {
        try await inner.payments(merchantReferences).map { $0.map { onPayment?($0) ?? $0 } }
    }

    func history(of merchantReference: String) async throws(JournalError) -> [HistoryEntry] {
        let history = try await inner.history(of: merchantReference)
        return onHistory?(history) ?? history
    }

    func lease<Work: LeasedWork>(
        _ kind: Work.Type, of gateway: String?, limit: Int, at moment: Date, until expiry: Date
    ) async throws(JournalError) -> [Work] {
        let leased = try await inner.lease(kind, of: gateway, limit: limit, at: moment, until: expiry)
        if let onLease, let payments = leased as? [Payment] { return onLease(payments) as? [Work] ?? [] }
        if let onLeaseEvents, let events = leased as? [DueEvent] {
            return try await made { try await onLeaseEvents(events) as? [Work] ?? [] }
        }
        return leased
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
