import PayrelayPrimitives
import Foundation

@testable import PaymentRelay

extension PlantedBug {
    /// Mistakes with FORT's notifications.
    static let feedback = [
        PlantedBug(
            testDescription: "every copy of a message is added up", sign: "in the journal, and",
            apply: { relay, notification in
                guard case .operation(.refund, _) = notification.subject, notification.answer.meaning == .refunded
                else {
                    return try await relay.apply(notification, request: Feedback.request)
                }
                return try await relay.overwrite(notification) { payment in
                    payment.balance.refunded = payment.balance.refunded.adding(notification.amount ?? .zero) ?? .zero
                    payment.state = payment.balance.state(of: payment.amount)
                }
            }),
        PlantedBug(
            testDescription: "the last message counts, however old it is", sign: "went from",
            apply: { relay, notification in
                guard notification.isAboutCharge, notification.answer.meaning == .authorized else {
                    return try await relay.apply(notification, request: Feedback.request)
                }
                return try await relay.overwrite(notification) { $0.state = .authorized }
            }),
        PlantedBug(
            testDescription: "an undecided notification is acknowledged", sign: "in the journal, and",
            apply: { relay, notification in
                do {
                    return try await relay.apply(notification, request: Feedback.request)
                } catch NotificationError.undecided {
                    return .applied
                }
            }),
        PlantedBug(
            testDescription: "a message counts whatever account signed it", sign: "and FORT has nothing",
            apply: { relay, notification in
                try await relay.apply(notification.signed(by: "main"), request: Feedback.request)
            }),
        PlantedBug(
            testDescription: "an amount that cannot be read is taken for none", sign: "and FORT has nothing",
            apply: { relay, notification in
                try await relay.apply(notification.without(unreadable: true, amount: false), request: Feedback.request)
            }),
        PlantedBug(
            testDescription: "the amount of a message is not compared with the payment's", sign: "and FORT has nothing",
            apply: { relay, notification in
                try await relay.apply(notification.without(unreadable: false, amount: true), request: Feedback.request)
            }),
    ]
}

extension ProcessorNotification {
    fileprivate func signed(by account: String) -> ProcessorNotification {
        ProcessorNotification(
            account: account, merchantReference: merchantReference, subject: subject, amount: amount,
            currency: currency, answer: answer)
    }

    fileprivate func without(unreadable: Bool, amount withoutAmount: Bool) -> ProcessorNotification {
        ProcessorNotification(
            account: account, merchantReference: merchantReference, subject: subject,
            amount: withoutAmount ? nil : amount, currency: currency,
            answer: ProcessorAnswer(
                meaning: answer.meaning, totals: answer.totals,
                unreadableNumber: unreadable ? nil : answer.unreadableNumber, summary: answer.summary,
                response: answer.response))
    }
}

extension PaymentRelay {
    fileprivate func overwrite(
        _ notification: ProcessorNotification, _ change: (inout Payment) -> Void
    ) async throws -> PaymentRelay.Application {
        guard let payment = try await journal.payment(notification.merchantReference), !payment.isOpen else {
            return .unknown
        }
        var changed = payment
        change(&changed)
        let entry = HistoryEntry(
            at: now(), state: changed.state, balance: changed.balance, requestIdentifier: Feedback.request)
        return try await journal.compareAndSet(payment, to: changed, because: entry) ? .applied : .unknown
    }
}
