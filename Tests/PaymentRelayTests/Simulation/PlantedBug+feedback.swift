import Foundation

@testable import PaymentRelay

extension PlantedBug {
    /// Mistakes with what FORT tells by itself.
    static let feedback = [
        PlantedBug(
            testDescription: "every copy of a message is added up", sign: "in the journal, and",
            apply: { relay, notification in
                guard case .maintenance(.refund, _) = notification.subject, notification.answer.meaning == .refunded
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
            testDescription: "what cannot be told yet is acknowledged", sign: "in the journal, and",
            apply: { relay, notification in
                do {
                    return try await relay.apply(notification, request: Feedback.request)
                } catch is UndecidedNotification {
                    return .applied
                }
            }),
    ]
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
        return try await journal.replace(payment, with: changed, because: entry) ? .applied : .unknown
    }
}
