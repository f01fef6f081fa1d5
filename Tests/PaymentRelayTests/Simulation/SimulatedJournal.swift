import Foundation
import PaymentRelay

/// The journal as one process sees it: slow, failing, and cut off when the process ends. What is on the disk stays.
struct SimulatedJournal: Journal {
    static let failure = JournalError.outcomeUnknown(reason: "simulated")

    let disk: MemoryJournal
    let life: ProcessLife
    let world: SimulatedWorld

    func claim(_ claim: Claim) async throws(JournalError) -> ClaimResult {
        let what = "claim \(claim.payment.merchantReference) by \(claim.entry.requestIdentifier ?? "nobody")"
        let reference = claim.payment.merchantReference
        var isClaimed = false
        do throws(JournalError) {
            return try await write(
                what,
                {
                    let result = await disk.claim(claim)
                    isClaimed = result == .claimed
                    if isClaimed { life.beginsCharging(reference, for: claim.entry.requestIdentifier ?? "nobody") }
                    return result
                }, outcome: \.word)
        } catch {
            if isClaimed { life.endsCharging(reference) }
            throw error
        }
    }

    func record(_ payment: Payment, because entry: HistoryEntry) async throws(JournalError) -> Bool {
        try await write(
            "record \(payment.merchantReference)", { await disk.record(payment, because: entry) },
            outcome: { $0 ? "done" : "known" })
    }

    func redactEvent(_ number: Int, of merchantReference: String, to event: [UInt8]) async throws(JournalError) {
        try await write(
            "redact event \(merchantReference)",
            { await disk.redactEvent(number, of: merchantReference, to: event) }, outcome: { "done" })
    }

    func transition(_ payment: Payment, receipt: [UInt8]?, because entry: HistoryEntry) async throws(JournalError)
        -> Bool
    {
        // The request that charges writes what became of it, also where it sent nothing.
        life.endsCharging(payment.merchantReference, for: entry.requestIdentifier)
        return try await write(
            "transition \(payment.merchantReference) from \(payment.state) to \(entry.state)",
            {
                let isDone = await disk.transition(payment, receipt: receipt, because: entry)
                if isDone, life.isCharging(payment.merchantReference) {
                    world.found("\(payment.merchantReference) became \(entry.state) while its charge was under way")
                }
                return isDone
            }, outcome: { $0 ? "done" : "no longer \(payment.state)" })
    }

    func compareAndSet(_ old: Payment, to new: Payment, because entry: HistoryEntry) async throws(JournalError) -> Bool
    {
        try await write(
            "compareAndSet \(old.merchantReference), \(new.operations.last?.state.rawValue ?? "without operations")",
            { await disk.compareAndSet(old, to: new, because: entry) }, outcome: { $0 ? "done" : "no longer so" })
    }

    func add(
        _ hint: ProcessorHint, kind: FeedbackKind, at moment: Date, limit: Int
    ) async throws(JournalError) -> Bool {
        try await write(
            "hint about \(hint.merchantReference)",
            { await disk.add(hint, kind: kind, at: moment, limit: limit) }, outcome: { $0 ? "done" : "full" })
    }

    func leaseHints(limit: Int, at moment: Date, until expiry: Date) async throws(JournalError) -> [PendingHint] {
        try await write(
            "lease hints", { await disk.leaseHints(limit: limit, at: moment, until: expiry) },
            outcome: { $0.map(\.hint.merchantReference).joined(separator: " ") })
    }

    func end(_ pending: PendingHint, as end: HintEnd, at moment: Date) async throws(JournalError) {
        try await write(
            "end the hint about \(pending.hint.merchantReference)",
            { await disk.end(pending, as: end, at: moment) }, outcome: { "\(end)" })
    }

    func hintSummary() async -> HintSummary { await disk.hintSummary() }

    func deleteRestedHints(before moment: Date) async { await disk.deleteRestedHints(before: moment) }

    func payment(_ merchantReference: String) async throws(JournalError) -> Payment? {
        try await read("payment") { await disk.payment(merchantReference) }
    }

    func history(of merchantReference: String) async throws(JournalError) -> [HistoryEntry] {
        try await read("history") { await disk.history(of: merchantReference) }
    }

    func lease(limit: Int, at moment: Date, until expiry: Date) async throws(JournalError) -> [Payment] {
        try await write(
            "lease", { await disk.lease(limit: limit, at: moment, until: expiry) },
            outcome: { $0.map(\.merchantReference).joined(separator: " ") })
    }

    func release(_ merchantReference: String, lease: Lease, at moment: Date) async throws(JournalError) {
        try await write(
            "release \(merchantReference)", { await disk.release(merchantReference, lease: lease, at: moment) },
            outcome: { "done" })
    }

    func openPayments(limit: Int) async throws(JournalError) -> [Payment] {
        try await read("open payments") { await disk.openPayments(limit: limit) }
    }

    func write<Written>(
        _ what: String, _ body: () async -> Written, outcome: (Written) -> String
    ) async throws(JournalError) -> Written {
        try await reach(what)
        let written = await body()
        world.note("journal: \(what): \(outcome(written))")
        try await wait(before: "returned from \(what)")
        if world.strikes(\.journalFailsLate) {
            world.note("journal: \(what) is reported as failed")
            throw Self.failure
        }
        return written
    }

    func read<Known>(_ what: String, _ body: () async -> Known) async throws(JournalError) -> Known {
        try await reach(what)
        let known = await body()
        try await wait(before: "returned from \(what)")
        return known
    }

    private func reach(_ what: String) async throws(JournalError) {
        try await wait(before: what)
        if world.strikes(\.journalFails) {
            world.note("journal: \(what) fails")
            throw Self.failure
        }
    }

    private func wait(before what: String) async throws(JournalError) {
        let isSlow = world.strikes(\.journalSlow)
        do throws(ProcessLife.Ended) {
            try await life.step(what, after: isSlow ? world.chance.duration(upTo: .seconds(45)) : nil)
        } catch {
            throw .unavailable(reason: "the process has ended")
        }
    }

    func settlement(from start: Date, until end: Date) async throws(JournalError) -> Settlement {
        try await disk.settlement(from: start, until: end)
    }

    func movements(
        until end: Date, after place: MovementCursor, limit: Int
    ) async -> MovementPage {
        await disk.movements(until: end, after: place, limit: limit)
    }

    func payments(_ merchantReferences: [String]) async -> [Result<Payment, UnreadableRecord>] {
        await disk.payments(merchantReferences)
    }

    func openSummary(overdueBefore moment: Date) async -> OpenSummary {
        await disk.openSummary(overdueBefore: moment)
    }

    func paymentsHoldingCustomerData(
        claimedBefore moment: Date, after place: PaymentCursor?, limit: Int
    ) async -> [PaymentCursor] {
        await disk.paymentsHoldingCustomerData(claimedBefore: moment, after: place, limit: limit)
    }

    func search(_ query: PaymentQuery) async -> PaymentPage { await disk.search(query) }

    func checkDurability() async { await disk.checkDurability() }

    func purgeErased() async { await disk.purgeErased() }

    func recordCertificateUse(_ use: CertificateUse) async { await disk.recordCertificateUse(use) }

    func record(_ query: QueryWithoutChange, of merchantReference: String) async throws(JournalError) {
        try await write(
            "count a question about \(merchantReference)", { await disk.record(query, of: merchantReference) },
            outcome: { "done" })
    }

    func queriesWithoutChange(of merchantReference: String) async -> [QueryWithoutChange] {
        await disk.queriesWithoutChange(of: merchantReference)
    }

    func certificateUse() async -> [CertificateUse] { await disk.certificateUse() }
}

extension ClaimResult {
    fileprivate var word: String {
        switch self {
        case .claimed: "claimed"
        case .claimedInPlaceOf(let payment): "claimed, in the place of one that was \(payment.state)"
        case .referenceTaken(let payment): "reference taken, \(payment.state)"
        case .recordUnreadable: "record unreadable"
        case .tokenTaken: "token taken"
        case .idempotencyKeyTaken: "idempotency key taken"
        }
    }
}
