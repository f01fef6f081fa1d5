import Foundation

@testable import PaymentRelay

extension PlantedBug {
    /// Mistakes with what FORT tells by itself.
    static let feedback = [
        PlantedBug(
            testDescription: "every copy of a message is added up", sign: "in the journal, and",
            learn: { relay, notice in
                guard case .maintenance(.refund, _) = notice.subject, notice.answer.meaning == .refunded else {
                    return try await relay.learn(notice, request: Feedback.request)
                }
                return try await relay.overwrite(notice) { payment in
                    payment.balance.refunded += notice.amount ?? 0
                    payment.state = payment.balance.state(of: payment.amount)
                }
            }),
        PlantedBug(
            testDescription: "the last message counts, however old it is", sign: "went from",
            learn: { relay, notice in
                guard notice.subject == .charge, notice.answer.meaning == .authorized else {
                    return try await relay.learn(notice, request: Feedback.request)
                }
                return try await relay.overwrite(notice) { $0.state = .authorized }
            }),
        PlantedBug(
            testDescription: "what cannot be told yet is acknowledged", sign: "in the journal, and",
            learn: { relay, notice in
                do {
                    return try await relay.learn(notice, request: Feedback.request)
                } catch is UndecidedNotice {
                    return true
                }
            }),
    ]
}

extension PaymentRelay {
    fileprivate func overwrite(_ notice: ProcessorNotice, _ change: (inout Payment) -> Void) async throws -> Bool {
        guard let payment = try await journal.payment(notice.merchantReference), !payment.isOpen else { return false }
        var changed = payment
        change(&changed)
        let entry = HistoryEntry(
            at: now(), state: changed.state, balance: changed.balance, requestIdentifier: Feedback.request)
        return try await journal.replace(payment, with: changed, because: entry)
    }
}
