import JournalContract
import PayrelayPrimitives

@testable import PaymentRelay

extension PlantedBug {
    /// Mistakes with captures, voids and refunds.
    static let operations = [
        PlantedBug(
            testDescription: "an operation is sent before it is recorded", sign: "moved money 2 times",
            journal: { inner, _ in
                FaultyJournal(
                    inner: inner,
                    onLaterChange: { change in
                        guard change.after.openOperation?.state != .processing else { return .written }
                        let known = try await inner.payment(change.after.merchantReference)
                        return try await inner.commit(change.following(known))
                    })
            }),
        PlantedBug(
            testDescription: "an operation begins on a payment that was changed since it was read",
            sign: "in the journal, and",
            journal: { inner, _ in
                FaultyJournal(
                    inner: inner,
                    onLaterChange: { change in
                        let known = try await inner.payment(change.after.merchantReference)
                        return try await inner.commit(change.following(known))
                    })
            }),
        PlantedBug(
            testDescription: "an operation that an earlier process left open is forgotten", sign: "is still open",
            journal: { inner, _ in
                FaultyJournal(inner: inner, onLease: { $0.filter { $0.openOperation == nil } })
            }),
        PlantedBug(
            testDescription: "the references of operations are not looked up", sign: "moved money 2 times",
            journal: { inner, _ in
                FaultyJournal(
                    inner: inner,
                    onPayment: { payment in
                        var payment = payment
                        payment.operations = payment.operations.map { operation in
                            operation.state.isOpen ? operation : operation.withoutName
                        }
                        return payment
                    })
            }),
        maintaining("the timeout of an operation is taken for a refusal", sign: "is declined, and FORT") { inner in
            { payment, operation, fields in
                let report = await inner.perform(payment, operation, fields: fields)
                guard case .unknown = report else { return report }
                return .answered(GatewayAnswer(.declined))
            }
        },
        maintaining("an operation is sent again after a timeout", sign: "was carried out 2 times") { inner in
            { payment, operation, fields in
                let report = await inner.perform(payment, operation, fields: fields)
                guard case .unknown = report else { return report }
                return await inner.perform(payment, operation, fields: fields)
            }
        },
        maintaining(
            "an answer to an operation is believed before its signature is verified",
            sign: "is declined, and FORT carried it out 1 times"
        ) { inner in
            { payment, operation, fields in
                guard case .answered(let answer, _) = await inner.exchangeOperation(payment, operation, fields) else {
                    return .unknown(reason: "no answer")
                }
                return .answered(answer)
            }
        },
        maintaining("an operation on hold is taken for done", sign: "is done, and FORT carried it out 0 times") {
            inner in
            { payment, operation, fields in
                let report = await inner.perform(payment, operation, fields: fields)
                guard case .answered(let answer) = report, case .pending = answer.meaning else { return report }
                return .answered(GatewayAnswer(operation.command.success))
            }
        },
        PlantedBug(
            testDescription: "the gateway's totals are not heeded", sign: "is still open",
            gateway: { inner in
                FaultyGateway(
                    inner: inner,
                    onStatus: { _, report in
                        guard case .answered(let answer) = report else { return report }
                        return .answered(
                            GatewayAnswer(
                                meaning: answer.meaning, summary: answer.summary, response: answer.response))
                    })
            }),
        PlantedBug(
            testDescription: "totals beyond the order are cut to what it is about", sign: "in the journal, and",
            gateway: { inner in
                FaultyGateway(
                    inner: inner,
                    onStatus: { _, report in
                        guard case .answered(let answer) = report, let totals = answer.totals else { return report }
                        let captured = min(totals.captured, 10_000)
                        return .answered(
                            GatewayAnswer(
                                meaning: answer.meaning,
                                totals: Balance(captured: captured, refunded: min(totals.refunded, captured)),
                                summary: answer.summary, response: answer.response))
                    })
            }),
    ]

    private static func maintaining(
        _ description: String, sign: String,
        _ perform:
            @escaping @Sendable (SimulatedGateway) ->
            @Sendable (
                Payment, PaymentOperation, [String: String]
            ) async -> Outcome<GatewayAnswer>
    ) -> PlantedBug {
        PlantedBug(
            testDescription: description, sign: sign,
            gateway: { inner in FaultyGateway(inner: inner, onPerform: perform(inner)) })
    }
}

extension PaymentOperation {
    fileprivate var withoutName: PaymentOperation {
        PaymentOperation(
            identifier: identifier, command: command, amount: amount, requestedAmount: 1, maintenanceReference: nil,
            idempotencyKey: idempotencyKey, before: before, begunAt: begunAt, state: state, changedAt: changedAt,
            receipt: receipt)
    }
}
