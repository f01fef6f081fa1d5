import FoundationEssentials
import PaymentRelay

extension ObservedJournal {
    func leaseEvents(limit: Int, at moment: Date, until expiry: Date) async throws -> [DueEvent] {
        try await observe(.leaseEvents) { try await journal.leaseEvents(limit: limit, at: moment, until: expiry) }
    }

    func acknowledge(_ event: DueEvent, at moment: Date) async throws {
        try await observe(.acknowledgeEvent) { try await journal.acknowledge(event, at: moment) }
    }

    func postpone(_ event: DueEvent, until moment: Date?) async throws {
        try await observe(.postponeEvent) { try await journal.postpone(event, until: moment) }
    }

    func resendEvents(of merchantReference: String, since: Date, at moment: Date) async throws -> Bool {
        try await observe(.resendEvents) {
            try await journal.resendEvents(of: merchantReference, since: since, at: moment)
        }
    }

    func resendDeadLetteredEvents(limit: Int, at moment: Date) async throws -> Int {
        try await observe(.resendDeadLetteredEvents) {
            try await journal.resendDeadLetteredEvents(limit: limit, at: moment)
        }
    }

    func paymentsWithEvents(since: Date, after place: PaymentCursor?, limit: Int) async throws -> [PaymentCursor] {
        try await observe(.paymentsWithEvents) {
            try await journal.paymentsWithEvents(since: since, after: place, limit: limit)
        }
    }

    func eventSummary() async throws -> EventSummary {
        try await observe(.eventSummary) { try await journal.eventSummary() }
    }
}
