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

    func transition(_ payment: Payment, receipt: [UInt8]?, because entry: HistoryEntry) async throws(JournalError)
        -> Bool
    {
        if breaksTransition { throw Self.broken }
        return await inner.transition(payment, receipt: receipt, because: entry)
    }

    func compareAndSet(_ old: Payment, to new: Payment, because entry: HistoryEntry) async throws(JournalError) -> Bool
    {
        if breaksCompareAndSet { throw Self.broken }
        return await inner.compareAndSet(old, to: new, because: entry)
    }

    func add(
        _ hint: ProcessorHint, kind: FeedbackKind, at moment: Date, limit: Int
    ) async throws(JournalError) -> Bool {
        if breaksHints { throw Self.broken }
        return await inner.add(hint, kind: kind, at: moment, limit: limit)
    }

    func record(_ payment: Payment, because entry: HistoryEntry) async throws(JournalError) -> Bool {
        if breaksTransition { throw Self.broken }
        return await inner.record(payment, because: entry)
    }
}
