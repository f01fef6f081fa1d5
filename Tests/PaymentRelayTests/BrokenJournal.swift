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

    func record(_ payment: Payment, because entry: HistoryEntry) async throws(JournalError) -> Bool {
        if breaksTransition { throw Self.broken }
        return await inner.record(payment, because: entry)
    }

    func redactEvent(_ number: Int, of merchantReference: String, to event: [UInt8]) async {
        await inner.redactEvent(number, of: merchantReference, to: event)
    }

    func payment(_ merchantReference: String) async -> Payment? { await inner.payment(merchantReference) }
    func history(of merchantReference: String) async -> [HistoryEntry] { await inner.history(of: merchantReference) }
    func lease(limit: Int, at moment: Date, until expiry: Date) async -> [Payment] {
        await inner.lease(limit: limit, at: moment, until: expiry)
    }
    func release(_ merchantReference: String, lease: Lease, at moment: Date) async {
        await inner.release(merchantReference, lease: lease, at: moment)
    }
    func openPayments(limit: Int) async -> [Payment] { await inner.openPayments(limit: limit) }

    func openSummary(overdueBefore moment: Date) async -> OpenSummary {
        await inner.openSummary(overdueBefore: moment)
    }

    func paymentsHoldingCustomerData(
        claimedBefore moment: Date, after place: PaymentCursor?, limit: Int
    ) async -> [PaymentCursor] {
        await inner.paymentsHoldingCustomerData(claimedBefore: moment, after: place, limit: limit)
    }

    func checkDurability() async { await inner.checkDurability() }
}
