import JournalContract
import PayrelayPrimitives

@testable import PaymentRelay

extension PlantedBug {
    /// Mistakes with the proof in a verified answer.
    static let totals = [
        reading("a status is believed beside totals that contradict it", sign: "and the journal says declined") {
            _, answer in
            // The answer must be without its amounts: a refusal is not believed either while a hold may exist.
            answer.meaning == .declined ? answer.with(authorized: nil, totals: nil) : answer
        },
        reading("a code that settles nothing is waited for without an end", sign: "is still open") { _, answer in
            if case .pending = answer.meaning { answer.with(totals: nil) } else { answer }
        },
        reading("old totals end an operation", sign: "is not_processed, and FORT carried it out 1 times") {
            payment, answer in
            guard let payment, let totals = answer.totals else { return answer }
            return answer.with(totals: payment.balance.forward(to: totals))
        },
        reading("a status without an amount proves the order's amount", sign: "in the journal, and") {
            payment, answer in
            guard let payment, answer.meaning == .captured, answer.totals == nil else { return answer }
            return answer.with(totals: Balance(captured: payment.amount))
        },
        takingBack("a success that is taken back is recorded nowhere", sign: "was taken back, and nobody was told") {
            _ in nil
        },
        takingBack("a success that is taken back is gone", sign: "is captured at FORT, and the journal says") {
            payment in
            var payment = payment
            payment.state = .declined
            return payment
        },
        PlantedBug(
            testDescription: "a refusal is told before the status is queried", sign: "behind FORT's books",
            gateway: { inner in
                FaultyGateway(
                    inner: inner,
                    onPerform: { payment, operation, fields in
                        let report = await inner.perform(payment, operation, fields: fields)
                        guard case .answered(let answer) = report else { return report }
                        return .answered(answer.with(totals: answer.totals))
                    })
            }),
    ]

    private static func reading(
        _ description: String, sign: String,
        _ misread: @escaping @Sendable (Payment?, GatewayAnswer) -> GatewayAnswer
    ) -> PlantedBug {
        PlantedBug(
            testDescription: description, sign: sign,
            gateway: { inner in
                FaultyGateway(inner: inner, onStatus: { payment, report in report.map { misread(payment, $0) } })
            })
    }

    /// - Parameter change: Returns the payment to write instead of the entry, or `nil` to write nothing.
    private static func takingBack(
        _ description: String, sign: String, _ change: @escaping @Sendable (Payment) -> Payment?
    ) -> PlantedBug {
        PlantedBug(
            testDescription: description, sign: sign,
            journal: { inner, _ in
                FaultyJournal(
                    inner: inner,
                    onLaterChange: { noted in
                        guard noted.kind == .contradiction(.takenBack) else { return try await inner.commit(noted) }
                        guard let changed = change(noted.after) else { return .written }
                        return try await inner.commit(noted.altered(after: changed, hasEvent: false))
                    })
            })
    }
}

extension GatewayAnswer {
    /// The answer with other totals, without the mark that the order's state does not allow the operation.
    fileprivate func with(totals: Balance?) -> GatewayAnswer {
        with(authorized: authorized, totals: totals)
    }

    fileprivate func with(authorized: MinorUnits?, totals: Balance?) -> GatewayAnswer {
        GatewayAnswer(
            meaning: meaning, authorized: authorized, captured: totals?.captured, totals: totals,
            unreadableNumber: unreadableNumber, isStillDeciding: isStillDeciding, reference: reference,
            summary: summary, response: response)
    }
}
