import Foundation
import JournalContract
import PaymentRelay

extension Change {
    /// Whether it records what became of a charge whose outcome is open.
    var isOutcomeOfCharge: Bool { kind == .charge && before?.state.isOpen == true }
}

/// A journal that fails in chosen methods.
struct BrokenJournal: ForwardingJournal {
    static let broken = JournalError.unavailable(reason: "broken")

    let inner: MemoryJournal
    var breaksClaims = false
    /// Outcomes of charges.
    var breaksOutcomes = false
    /// Changes of payments whose charge has ended.
    var breaksLaterChanges = false
    var breaksHints = false
    /// What a claim has to wait for.
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
