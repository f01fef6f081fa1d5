import Foundation
import JournalContract

@testable import PaymentRelay

/// A journal that does some things wrong, and forwards all other calls.
struct FaultyJournal: ForwardingJournal {
    let inner: any Journal
    var onClaim: (@Sendable (Change) async throws -> CommitResult)?
    /// Handles changes that record the outcome of a charge.
    var onOutcome: (@Sendable (Change) async throws -> CommitResult)?
    /// Handles changes of payments whose charge has ended.
    var onLaterChange: (@Sendable (Change) async throws -> CommitResult)?
    var onPayment: (@Sendable (Payment) -> Payment)?
    var onHistory: (@Sendable ([HistoryEntry]) -> [HistoryEntry])?
    var onLease: (@Sendable ([Payment]) -> [Payment])?
    var onLeaseEvents: (@Sendable ([DueEvent]) async throws -> [DueEvent])?

    var target: any Journal { inner }

    func commit(_ change: Change) async throws(JournalError) -> CommitResult {
        guard let mistake = mistake(in: change) else { return try await inner.commit(change) }
        return try await made { try await mistake(change) }
    }

    private func mistake(in change: Change) -> (@Sendable (Change) async throws -> CommitResult)? {
        if change.claimed != nil { return onClaim }
        if change.before == nil { return nil }
        return change.isOutcomeOfCharge ? onOutcome : onLaterChange
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

    /// Runs a mistake, and throws the error of the journal below.
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

extension Change {
    /// Returns the same change with a mistake in it.
    func altered(after: Payment? = nil, hasToken: Bool = true, hasEvent: Bool = true) -> Change {
        Change(
            before: before, after: after ?? self.after, kind: kind, operation: operation, origin: origin,
            reason: reason,
            note: note, event: hasEvent ? event : nil, at: at, provenBy: proof,
            claimed: claimed.map { Claimed(token: hasToken ? $0.token : nil, idempotencyKey: $0.idempotencyKey) },
            redaction: redaction)
    }
}
