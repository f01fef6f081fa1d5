public import FoundationEssentials
import GRDB
public import PaymentRelay

extension SQLiteJournal {
    public func leaseEvents(limit: Int, at moment: Date, until expiry: Date) async throws -> [DueEvent] {
        try await commits.write { try $0.leaseEvents(limit: limit, at: moment, until: expiry) }.readable(onUnreadable)
    }

    public func acknowledge(_ event: DueEvent, at moment: Date) async throws {
        try await commits.write { try $0.acknowledge(event, at: moment) }
    }

    public func postpone(_ event: DueEvent, until moment: Date?) async throws {
        try await commits.write { try $0.postpone(event, until: moment) }
    }

    public func resendEvents(of merchantReference: String, since: Date, at moment: Date) async throws -> Bool {
        try await commits.write { try $0.resendEvents(of: merchantReference, since: since, at: moment) }
    }

    public func resendDeadLetteredEvents(limit: Int, at moment: Date) async throws -> Int {
        try await commits.write { try $0.resendDeadLetteredEvents(limit: limit, at: moment) }
    }

    public func paymentsWithEvents(since: Date, after place: PaymentCursor?, limit: Int) async throws -> [PaymentCursor]
    {
        try await pool.read { try $0.paymentsWithEvents(since: since, after: place, limit: limit) }
    }

    public func eventSummary() async throws -> EventSummary {
        try await pool.read { try $0.eventSummary() }
    }
}
