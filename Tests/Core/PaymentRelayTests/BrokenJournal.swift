import Foundation
import JournalContract
import PaymentRelay

extension Change {
    /// Whether the change records the outcome of a charge whose outcome is open.
    var isOutcomeOfCharge: Bool { kind == .charge && before?.state.isOpen == true }
}

/// A journal that fails in chosen methods.
struct BrokenJournal: ForwardingJournal {
    static let broken = JournalError.unavailable(reason: "broken")

    let inner: MemoryJournal
    var breaksClaims = false
    /// Whether changes that record the outcome of a charge fail.
    var breaksOutcomes = false
    /// Whether changes of payments whose charge has ended fail.
    var breaksLaterChanges = false
    var breaksHints = false
    /// A function that a claim awaits before it is committed.
    var beforeClaim: @Sendable () async -> Void = {}

    var target: any Journal { inner }

    func commit(_ change: Change) async throws(JournalError) -> CommitResult {
        if change.claimed != nil {
            await beforeClaim()
            if breaksClaims { throw Self.broken }
        } else if change.isOutcomeOfCharge ? breaksOutcomes : breaksLaterChanges {
            throw Self.broken
        }
        return await inner.commit(change)
    }

    func add(
        _ hint: GatewayHint, of gateway: String, charge: String?, kind: FeedbackKind, at moment: Date, limit: Int
    ) async throws(JournalError) -> Bool {
        if breaksHints { throw Self.broken }
        return await inner.add(hint, of: gateway, charge: charge, kind: kind, at: moment, limit: limit)
    }
}
