import Foundation
import JournalContract
import PaymentRelay

/// A journal that fails where it is told to.
struct BrokenJournal: ForwardedOutbox {
    struct Broken: Error {}

    let inner: MemoryJournal
    var breaksClaim = false
    var breaksMove = false
    var breaksReplace = false
    /// What a claim has to wait for.
    var beforeClaim: @Sendable () async -> Void = {}

    var outbox: any EventOutbox { inner }

    func claim(_ claim: Claim) async throws -> ClaimResult {
        await beforeClaim()
        if breaksClaim { throw Broken() }
        return await inner.claim(claim)
    }

    func move(_ payment: Payment, receipt: [UInt8]?, because entry: HistoryEntry) async throws -> Bool {
        if breaksMove { throw Broken() }
        return await inner.move(payment, receipt: receipt, because: entry)
    }

    func replace(_ old: Payment, with new: Payment, because entry: HistoryEntry) async throws -> Bool {
        if breaksReplace { throw Broken() }
        return await inner.replace(old, with: new, because: entry)
    }

    func record(_ payment: Payment, because entry: HistoryEntry) async throws -> Bool {
        if breaksMove { throw Broken() }
        return await inner.record(payment, because: entry)
    }

    func replaceEvent(_ number: Int, of merchantReference: String, with event: [UInt8]) async {
        await inner.replaceEvent(number, of: merchantReference, with: event)
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
