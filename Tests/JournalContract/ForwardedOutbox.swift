public import Foundation
public import PaymentRelay

/// A journal for tests that stands before another one and leaves its events and the use of certificates to it.
public protocol ForwardedOutbox: Journal {
    var outbox: any EventOutbox & CertificateUseLog { get }
}

extension ForwardedOutbox {
    public func leaseEvents(limit: Int, at moment: Date, until expiry: Date) async throws(JournalError) -> [DueEvent] {
        try await outbox.leaseEvents(limit: limit, at: moment, until: expiry)
    }

    public func acknowledge(_ event: DueEvent, at moment: Date) async throws(JournalError) {
        try await outbox.acknowledge(event, at: moment)
    }

    public func postpone(_ event: DueEvent, until moment: Date?) async throws(JournalError) {
        try await outbox.postpone(event, until: moment)
    }

    public func resendEvents(of merchantReference: String, since: Date, at moment: Date) async throws(JournalError)
        -> Bool
    {
        try await outbox.resendEvents(of: merchantReference, since: since, at: moment)
    }

    public func resendDeadLetteredEvents(limit: Int, at moment: Date) async throws(JournalError) -> Int {
        try await outbox.resendDeadLetteredEvents(limit: limit, at: moment)
    }

    public func paymentsWithEvents(since: Date, after place: PaymentCursor?, limit: Int) async throws(JournalError)
        -> [PaymentCursor]
    {
        try await outbox.paymentsWithEvents(since: since, after: place, limit: limit)
    }

    public func deadLetteredPayments(limit: Int) async throws(JournalError) -> [PaymentCursor] {
        try await outbox.deadLetteredPayments(limit: limit)
    }

    public func eventSummary() async throws(JournalError) -> EventSummary {
        try await outbox.eventSummary()
    }

    public func recordCertificateUse(_ use: CertificateUse) async throws(JournalError) {
        try await outbox.recordCertificateUse(use)
    }

    public func certificateUse() async throws(JournalError) -> [CertificateUse] {
        try await outbox.certificateUse()
    }
}
