import Foundation
import JournalContract
import PayrelayPrimitives

@testable import PaymentRelay

extension PlantedBug {
    /// Mistakes with FORT's unasked messages.
    static let hints = [
        PlantedBug(
            testDescription: "feedback about a charge is believed", sign: "FORT, and the journal says",
            receive: { relay, hint in
                guard case .charge = hint.subject, hint.account == "main" else { return try await relay.takeHint(hint) }
                return try await relay.overwrite(hint) { payment in
                    switch hint.statement {
                    case .captured: payment.balance.captured = payment.amount
                    case .authorized: payment.balance = Balance()
                    default:
                        payment.state = .declined
                        return
                    }
                    payment.state = payment.balance.state(of: payment.amount)
                }
            }),
        PlantedBug(
            testDescription: "feedback about a reference that is not known makes a payment",
            sign: "and FORT has nothing",
            receive: { relay, hint in
                guard try await relay.journal.payment(hint.merchantReference) == nil, case .charge = hint.subject else {
                    return try await relay.takeHint(hint)
                }
                let answer = GatewayAnswer(
                    meaning: .captured, authorized: 10_000, summary: ["answer": 0], response: [:])
                guard
                    let found = Change(
                        toPaymentMadeElsewhere: answer, hint: hint, gateway: "fort", on: .at(relay.now()))
                else {
                    return true
                }
                return try await relay.journal.commit(found) == .written
            }),
        PlantedBug(
            testDescription: "every copy of a message is added up", sign: "in the journal, and",
            receive: { relay, hint in
                guard hint.subject == .operation(.refund), hint.statement == .refunded, hint.account == "main" else {
                    return try await relay.takeHint(hint)
                }
                return try await relay.overwrite(hint) { payment in
                    let refunded = payment.balance.refunded.adding(hint.amount ?? .zero) ?? .zero
                    payment.balance.refunded = min(refunded, payment.balance.captured)
                    payment.state = payment.balance.state(of: payment.amount)
                }
            }),
        PlantedBug(
            testDescription: "an operation of a known amount is taken for the known operation",
            sign: "in the journal, and",
            receive: { relay, hint in
                if case .operation(let command) = hint.subject,
                    let payment = try await relay.journal.payment(hint.merchantReference),
                    payment.operations.contains(where: { $0.command == command && $0.amount == hint.amount })
                {
                    return true
                }
                return try await relay.takeHint(hint)
            }),
        PlantedBug(
            testDescription: "a message is acknowledged before it is recorded", sign: "in the journal, and",
            receive: { relay, hint in
                do {
                    return try await relay.takeHint(hint)
                } catch {
                    return true
                }
            }),
    ]

    /// Mistakes with FORT's proof about a payment whose outcome was known.
    static let charges = [
        PlantedBug(
            testDescription: "a settled payment is settled for good", sign: "at FORT, and the journal says",
            gateway: { inner in
                FaultyGateway(
                    inner: inner,
                    onStatus: { payment, report in
                        guard let payment, [.declined, .notSent, .notProcessed].contains(payment.state) else {
                            return report
                        }
                        return .answered(GatewayAnswer(.declined))
                    })
            }),
        PlantedBug(
            testDescription: "an outcome that another one came before is taken for written",
            sign: "in other words than",
            journal: { inner, _ in
                FaultyJournal(
                    inner: inner,
                    onOutcome: { change in
                        _ = try await inner.commit(change)
                        return .written
                    })
            }),
        PlantedBug(
            testDescription: "a charge that a message names is queried by the reference only",
            sign: "and nobody was told",
            gateway: { inner in FaultyGateway(inner: inner, queriesByNumber: false) }),
        PlantedBug(
            testDescription: "FORT's number of a charge is not looked at", sign: "and nobody was told",
            gateway: { inner in
                FaultyGateway(
                    inner: inner,
                    onStatus: { _, report in
                        guard case .answered(let answer) = report else { return report }
                        return .answered(
                            GatewayAnswer(
                                meaning: answer.meaning, authorized: answer.authorized, captured: answer.captured,
                                totals: answer.totals, unreadableNumber: answer.unreadableNumber,
                                summary: answer.summary, response: answer.response))
                    })
            }),
        PlantedBug(
            testDescription: "what was not sent stays an operation", sign: "was not sent, and is an operation",
            journal: { inner, _ in
                FaultyJournal(
                    inner: inner,
                    onLaterChange: { change in
                        guard let before = change.before, var unsent = before.operations.last,
                            change.after.operations.count < before.operations.count
                        else { return try await inner.commit(change) }
                        var kept = change.after
                        unsent.state = .notProcessed
                        unsent.receipt = Receipt(of: unsent, on: kept, answer: nil, reason: nil).encoded()
                        kept.operations.append(unsent)
                        return try await inner.commit(change.altered(after: kept))
                    })
            }),
    ]
}

extension PaymentRelay {
    fileprivate func overwrite(
        _ hint: GatewayHint, _ change: (inout Payment) -> Void
    ) async throws -> Bool {
        guard let payment = try await journal.payment(hint.merchantReference), !payment.isOpen else { return false }
        var changed = payment
        change(&changed)
        let entry = HistoryEntry(at: now(), state: changed.state, balance: changed.balance)
        return try await journal.compareAndSet(payment, to: changed, because: entry)
    }
}
