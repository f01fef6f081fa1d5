public import Foundation
public import PaymentRelay

/// A journal for tests that wraps another journal, and forwards all calls that the test does not change.
public protocol ForwardingJournal: Journal {
    var target: any Journal { get }
}

extension ForwardingJournal {
    public func commit(_ change: Change) async throws(JournalError) -> CommitResult { try await target.commit(change) }

    public func use(ofKey key: String) async throws(JournalError) -> KeyUse? { try await target.use(ofKey: key) }

    public func payments(_ merchantReferences: [String]) async throws(JournalError)
        -> [Result<Payment, UnreadableRecord>]
    {
        try await target.payments(merchantReferences)
    }

    public func history(of merchantReference: String) async throws(JournalError) -> [HistoryEntry] {
        try await target.history(of: merchantReference)
    }

    public func search(_ query: PaymentQuery) async throws(JournalError) -> PaymentPage {
        try await target.search(query)
    }

    public func totals(of query: PaymentQuery) async throws(JournalError) -> PaymentTotals {
        try await target.totals(of: query)
    }

    public func changes(_ query: ChangeQuery) async throws(JournalError) -> ChangePage {
        try await target.changes(query)
    }

    public func list(
        _ list: PaymentList, after place: PaymentCursor?, limit: Int
    ) async throws(JournalError) -> [PaymentCursor] {
        try await target.list(list, after: place, limit: limit)
    }

    public func summary(notOverdueIn range: ClosedRange<Date>) async throws(JournalError) -> JournalSummary {
        try await target.summary(notOverdueIn: range)
    }

    public func lease<Work: LeasedWork>(
        _ kind: Work.Type, of gateway: String?, limit: Int, at moment: Date, until expiry: Date
    ) async throws(JournalError) -> [Work] {
        try await target.lease(kind, of: gateway, limit: limit, at: moment, until: expiry)
    }

    public func end<Work: LeasedWork>(_ work: Work, as end: Work.End, at moment: Date) async throws(JournalError) {
        try await target.end(work, as: end, at: moment)
    }

    public func eventProgress(of merchantReference: String) async throws(JournalError) -> EventProgress? {
        try await target.eventProgress(of: merchantReference)
    }

    public func resendEvents(
        of merchantReference: String, since: Date?, at moment: Date
    ) async throws(JournalError) -> Bool {
        try await target.resendEvents(of: merchantReference, since: since, at: moment)
    }

    public func add(
        _ hint: GatewayHint, of gateway: String, charge: String?, kind: FeedbackKind, at moment: Date, limit: Int
    ) async throws(JournalError) -> Bool {
        try await target.add(hint, of: gateway, charge: charge, kind: kind, at: moment, limit: limit)
    }

    public func record(_ query: QueryWithoutChange, of merchantReference: String) async throws(JournalError) {
        try await target.record(query, of: merchantReference)
    }

    public func queriesWithoutChange(
        of merchantReferences: [String]
    ) async throws(JournalError) -> [String: [QueryWithoutChange]] {
        try await target.queriesWithoutChange(of: merchantReferences)
    }

    public func settlement(from start: Date, until end: Date) async throws(JournalError) -> Settlement {
        try await target.settlement(from: start, until: end)
    }

    public func movements(until end: Date, after place: MovementCursor, limit: Int) async throws(JournalError)
        -> MovementPage
    {
        try await target.movements(until: end, after: place, limit: limit)
    }

    public func recordCertificateUse(_ use: CertificateUse) async throws(JournalError) {
        try await target.recordCertificateUse(use)
    }

    public func certificateUse() async throws(JournalError) -> [CertificateUse] {
        try await target.certificateUse()
    }

    public func checkDurability() async throws(JournalError) -> [DurabilityGap] { try await target.checkDurability() }

    public func purge(at moment: Date) async throws(JournalError) { try await target.purge(at: moment) }
}
