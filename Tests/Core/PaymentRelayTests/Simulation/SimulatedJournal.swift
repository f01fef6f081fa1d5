import Foundation
import JournalContract

@testable import PaymentRelay

/// The journal as one process sees it: slow, failing with its primary, and cut off when the process ends. The data on the disk
/// stays.
struct SimulatedJournal: Journal {
    static let failure = JournalError.outcomeUnknown(reason: "simulated")

    let disk: MemoryJournal
    let primary: SimulatedPrimary
    let life: ProcessLife
    let world: SimulatedWorld

    func commit(_ change: Change) async throws(JournalError) -> CommitResult {
        let reference = change.after.merchantReference
        if change.claimed != nil { return try await claim(change) }
        guard let before = change.before else {
            return try await write("record \(reference)", { await disk.commit(change) }, outcome: \.word)
        }
        guard change.isOutcomeOfCharge else {
            let operation = change.after.operations.last?.state.rawValue ?? "without operations"
            return try await write(
                "change \(reference), \(change.kind.text), \(operation)", { await disk.commit(change) },
                outcome: \.word)
        }
        // The request that charges writes its outcome, even if it sent nothing.
        life.endsCharging(reference, for: change.origin.request)
        return try await write(
            "outcome of \(reference) from \(before.state) to \(change.after.state)",
            {
                let result = await disk.commit(change)
                if result == .written, life.isCharging(reference) {
                    world.found("\(reference) became \(change.after.state) while its charge was under way")
                }
                return result
            }, outcome: \.word)
    }

    private func claim(_ claim: Change) async throws(JournalError) -> CommitResult {
        let reference = claim.after.merchantReference
        let request = claim.origin.request ?? "nobody"
        var isClaimed = false
        do throws(JournalError) {
            return try await write(
                "claim \(reference) by \(request)",
                {
                    let result = await disk.commit(claim)
                    isClaimed = result == .written
                    if isClaimed { life.beginsCharging(reference, for: request) }
                    return result
                }, outcome: \.word)
        } catch {
            if isClaimed { life.endsCharging(reference) }
            throw error
        }
    }

    func use(ofKey key: String) async throws(JournalError) -> KeyUse? {
        try await read("key") { await disk.use(ofKey: key) }
    }

    func add(
        _ hint: GatewayHint, of gateway: String, charge: String?, kind: FeedbackKind, at moment: Date, limit: Int
    ) async throws(JournalError) -> Bool {
        try await write(
            "hint about \(hint.merchantReference)",
            { await disk.add(hint, of: gateway, charge: charge, kind: kind, at: moment, limit: limit) },
            outcome: { $0 ? "done" : "full" })
    }

    func lease<Work: LeasedWork>(
        _ kind: Work.Type, of gateway: String?, limit: Int, at moment: Date, until expiry: Date
    ) async throws(JournalError) -> [Work] {
        let what =
            switch kind {
            case is DueEvent.Type: "lease events"
            case is PendingHint.Type: "lease hints"
            default: "lease"
            }
        return try await write(
            what, { await disk.lease(kind, of: gateway, limit: limit, at: moment, until: expiry) },
            outcome: { $0.map(Self.name).joined(separator: ", ") })
    }

    func end<Work: LeasedWork>(_ work: Work, as end: Work.End, at moment: Date) async throws(JournalError) {
        let what =
            switch (work, end) {
            case (_, let end as DueEvent.End):
                if case .acknowledged = end { "acknowledge event" } else { "postpone event" }
            case (is PendingHint, _): "end the hint about"
            default: "release"
            }
        try await write(
            "\(what) \(Self.name(work))", { await disk.end(work, as: end, at: moment) }, outcome: { "done" })
    }

    private static func name(_ work: some LeasedWork) -> String {
        switch work {
        case let payment as Payment: payment.merchantReference
        case let event as DueEvent: "\(event.merchantReference) \(event.number)"
        case let pending as PendingHint: pending.hint.merchantReference
        default: "\(work)"
        }
    }

    func payments(_ merchantReferences: [String]) async throws(JournalError) -> [Result<Payment, UnreadableRecord>] {
        try await read("payment") { await disk.payments(merchantReferences) }
    }

    func history(of merchantReference: String) async throws(JournalError) -> [HistoryEntry] {
        try await read("history") { await disk.history(of: merchantReference) }
    }

    func write<Written>(
        _ what: String, _ body: () async -> Written, outcome: (Written) -> String
    ) async throws(JournalError) -> Written {
        let session = try await reach(what)
        let written = await body()
        world.note("journal: \(what): \(outcome(written))")
        try await wait(before: "returned from \(what)")
        try stillConnected(session, what)
        if world.strikes(\.journalFailsLate) {
            world.note("journal: \(what) is reported as failed")
            throw Self.failure
        }
        return written
    }

    func read<Known>(_ what: String, _ body: () async -> Known) async throws(JournalError) -> Known {
        let session = try await reach(what)
        let known = await body()
        try await wait(before: "returned from \(what)")
        try stillConnected(session, what)
        return known
    }

    /// - Returns: The session in which the statement is sent.
    private func reach(_ what: String) async throws(JournalError) -> Int {
        try await wait(before: what)
        guard let session = primary.session else {
            world.note("journal: \(what) meets no server")
            throw .unavailable(reason: "no connection")
        }
        if world.strikes(\.journalFails) {
            world.note("journal: \(what) fails")
            throw Self.failure
        }
        return session
    }

    private func stillConnected(_ session: Int, _ what: String) throws(JournalError) {
        guard primary.session != session else { return }
        world.note("journal: \(what) is not answered, the primary has failed")
        throw Self.failure
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

    func list(_ list: PaymentList, after place: PaymentCursor?, limit: Int) async throws(JournalError)
        -> [PaymentCursor]
    {
        try await read("list") { await disk.list(list, after: place, limit: limit) }
    }

    func summary(notOverdueIn range: ClosedRange<Date>) async -> JournalSummary {
        await disk.summary(notOverdueIn: range)
    }

    func eventProgress(of merchantReference: String) async -> EventProgress? {
        await disk.eventProgress(of: merchantReference)
    }

    func resendEvents(of merchantReference: String, since: Date?, at moment: Date) async -> Bool {
        await disk.resendEvents(of: merchantReference, since: since, at: moment)
    }

    func search(_ query: PaymentQuery) async -> PaymentPage { await disk.search(query) }

    func totals(of query: PaymentQuery) async -> PaymentTotals { await disk.totals(of: query) }

    func changes(_ query: ChangeQuery) async -> ChangePage { await disk.changes(query) }

    func checkDurability() async -> [DurabilityGap] { await disk.checkDurability() }

    func purge(at moment: Date) async { await disk.purge(at: moment) }

    func recordCertificateUse(_ use: CertificateUse) async { await disk.recordCertificateUse(use) }

    func record(_ query: QueryWithoutChange, of merchantReference: String) async throws(JournalError) {
        try await write(
            "count a question about \(merchantReference)", { await disk.record(query, of: merchantReference) },
            outcome: { "done" })
    }

    func queriesWithoutChange(of merchantReferences: [String]) async -> [String: [QueryWithoutChange]] {
        await disk.queriesWithoutChange(of: merchantReferences)
    }

    func certificateUse() async -> [CertificateUse] { await disk.certificateUse() }
}

extension CommitResult {
    fileprivate var word: String {
        switch self {
        case .written: "done"
        case .versionChanged: "no longer so"
        case .referenceTaken(let payment): "reference taken, \(payment.state)"
        case .recordUnreadable: "record unreadable"
        case .tokenTaken: "token taken"
        case .keyTaken: "idempotency key taken"
        }
    }
}
