import FoundationEssentials
import PaymentRelay

extension ObservedJournal {
    func leaseEvents(limit: Int, at moment: Date, until expiry: Date) async throws(JournalError) -> [DueEvent] {
        try await observe(.leaseEvents) { () async throws(JournalError) in
            try await journal.leaseEvents(limit: limit, at: moment, until: expiry)
        }
    }

    func acknowledge(_ event: DueEvent, at moment: Date) async throws(JournalError) {
        try await observe(.acknowledgeEvent) { () async throws(JournalError) in
            try await journal.acknowledge(event, at: moment)
        }
    }

    func postpone(_ event: DueEvent, until moment: Date?) async throws(JournalError) {
        try await observe(.postponeEvent) { () async throws(JournalError) in
            try await journal.postpone(event, until: moment)
        }
    }

    func resendEvents(of merchantReference: String, since: Date, at moment: Date) async throws(JournalError) -> Bool {
        try await observe(.resendEvents) { () async throws(JournalError) in
            try await journal.resendEvents(of: merchantReference, since: since, at: moment)
        }
    }

    func resendDeadLetteredEvents(limit: Int, at moment: Date) async throws(JournalError) -> Int {
        try await observe(.resendDeadLetteredEvents) { () async throws(JournalError) in
            try await journal.resendDeadLetteredEvents(limit: limit, at: moment)
        }
    }

    func paymentsWithEvents(since: Date, after place: PaymentCursor?, limit: Int) async throws(JournalError)
        -> [PaymentCursor]
    {
        try await observe(.paymentsWithEvents) { () async throws(JournalError) in
            try await journal.paymentsWithEvents(since: since, after: place, limit: limit)
        }
    }

    func eventSummary() async throws(JournalError) -> EventSummary {
        try await observe(.eventSummary) { () async throws(JournalError) in try await journal.eventSummary() }
    }
}
