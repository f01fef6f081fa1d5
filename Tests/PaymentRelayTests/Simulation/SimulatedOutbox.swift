import Foundation
import PaymentRelay

extension SimulatedJournal {
    func leaseEvents(limit: Int, at moment: Date, until expiry: Date) async throws(JournalError) -> [DueEvent] {
        try await write(
            "lease events", { await disk.leaseEvents(limit: limit, at: moment, until: expiry) },
            outcome: { $0.map { "\($0.merchantReference) \($0.number)" }.joined(separator: ", ") })
    }

    func acknowledge(
        _ event: DueEvent, at moment: Date, after delivery: DeliveryAttempt?
    ) async throws(JournalError) {
        try await write(
            "acknowledge event \(event.merchantReference) \(event.number)",
            { await disk.acknowledge(event, at: moment, after: delivery) }, outcome: { "done" })
    }

    func postpone(
        _ event: DueEvent, until moment: Date?, after delivery: DeliveryAttempt?
    ) async throws(JournalError) {
        try await write(
            "postpone event \(event.merchantReference) \(event.number)",
            { await disk.postpone(event, until: moment, after: delivery) }, outcome: { "done" })
    }

    func resendEvents(of merchantReference: String, since: Date, at moment: Date) async -> Bool {
        await disk.resendEvents(of: merchantReference, since: since, at: moment)
    }

    func resendDeadLetteredEvents(limit: Int, at moment: Date) async -> Int {
        await disk.resendDeadLetteredEvents(limit: limit, at: moment)
    }

    func paymentsWithEvents(since: Date, after place: PaymentCursor?, limit: Int) async -> [PaymentCursor] {
        await disk.paymentsWithEvents(since: since, after: place, limit: limit)
    }

    func deadLetteredPayments(limit: Int) async -> [PaymentCursor] {
        await disk.deadLetteredPayments(limit: limit)
    }

    func eventProgress(of merchantReference: String) async -> EventProgress? {
        await disk.eventProgress(of: merchantReference)
    }

    func eraseDeliveries(of merchantReference: String) async {
        await disk.eraseDeliveries(of: merchantReference)
    }

    func eventSummary() async -> EventSummary {
        await disk.eventSummary()
    }
}
