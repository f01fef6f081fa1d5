import Foundation
import JournalContract
import PaymentRelay

/// A journal that fails in chosen methods.
struct BrokenJournal: ForwardingJournal {
    static let broken = JournalError.unavailable(reason: "broken")

    let inner: MemoryJournal
    var breaksClaim = false
    var breaksTransition = false
    var breaksCompareAndSet = false
    var breaksHints = false
    /// What a claim has to wait for.
    var beforeClaim: @Sendable () async -> Void = {}

    var target: any Journal { inner }

    func claim(_ claim: Claim) async throws(JournalError) -> ClaimResult {
        await beforeClaim()
        if breaksClaim { throw Self.broken }
        return await inner.claim(claim)
    }

    func commit(_ change: JournaledChange, if condition: ChangeCondition) async throws(JournalError) -> Bool {
        if condition == .sameState ? breaksTransition : breaksCompareAndSet { throw Self.broken }
        return await inner.commit(change, if: condition)
    }

    func add(
        _ hint: GatewayHint, of gateway: String, charge: String?, kind: FeedbackKind, at moment: Date, limit: Int
    ) async throws(JournalError) -> Bool {
        if breaksHints { throw Self.broken }
        return await inner.add(hint, of: gateway, charge: charge, kind: kind, at: moment, limit: limit)
    }
}
