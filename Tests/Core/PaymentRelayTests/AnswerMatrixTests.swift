import JournalContract
import PayrelayPrimitives
import Testing

@testable import PaymentRelay

/// The rules of the matrix, for every status, every kind of totals, and every state before the answer.
@Suite struct AnswerMatrixTests {
    private struct Case {
        let answer: GatewayAnswer
        let before: SamplePayment
        var after: SamplePayment
        let decision: MachineDecision
    }

    /// Returns every plausible answer in every state.
    private func cases(after time: Duration) -> [Case] {
        AnswerMatrix.statuses.indices.flatMap { status in
            AnswerMatrix.totals.indices.flatMap { totals in
                PaymentState.allCases.filter { $0 != .processing }.compactMap { state -> Case? in
                    let (answer, before) = (AnswerMatrix.answer(status, totals), AnswerMatrix.payment(in: state))
                    guard Outcome.answered(answer).implausibility(for: before.payment) == nil else { return nil }
                    var after = before
                    let decision = after.handle(.queried(.answered(answer), timeUncertain: time))
                    return Case(answer: answer, before: before, after: after, decision: decision)
                }
            }
        }
    }

    @Test("R14: totals that show captured money are the payment's, whatever the status and the state before")
    func takesCapturedMoneyForProof() {
        for time in [Duration.zero, AnswerMatrix.overTime] {
            for one in cases(after: time) where one.answer.showsMoney && !one.answer.isBehind(one.before.balance) {
                let expected = one.before.balance.forward(to: one.answer.moved ?? Balance())
                #expect(one.after.balance == expected, "\(one.before.state), \(one.answer.words)")
                #expect(one.after.state == expected.state(of: AnswerMatrix.amount))
            }
        }
    }

    @Test("R10: a payment is declined, or was not processed, only if no totals show money and none may be held")
    func failsOnlyWithoutMoney() {
        for time in [Duration.zero, AnswerMatrix.overTime] {
            for one in cases(after: time)
            where [.declined, .notProcessed].contains(one.after.state) && one.before.state != one.after.state {
                #expect(!one.answer.showsMoney && !one.answer.mayHold, "\(one.answer.words)")
                #expect(one.before.state == .uncertain)
            }
        }
    }

    @Test("R14: a payment is not captured over its own amount by an answer to a query that states no amount")
    func provesNoAmountWithoutTotals() {
        for time in [Duration.zero, AnswerMatrix.overTime] {
            for one in cases(after: time) where one.answer.moved == nil && one.answer.authorized == nil {
                #expect(one.after.balance == one.before.balance)
                #expect(one.after.state.hasMoney == one.before.state.hasMoney || one.after.state == .voided)
            }
        }
    }

    @Test("Nothing stays open without a word: after the time an answer decides, or an operator is alerted")
    func decidesOrAlertsAfterTheTime() {
        for one in cases(after: AnswerMatrix.overTime) {
            if case .stillOpen = one.decision { Issue.record("\(one.before.state) stays, by \(one.answer.words)") }
            guard one.before.state == .uncertain, one.after.state == .uncertain else { continue }
            guard case .alert = one.decision else {
                Issue.record("uncertain without an alert, by \(one.answer.words)")
                continue
            }
        }
    }

    @Test("A success that is taken back leaves the payment as it is, and alerts an operator once the answer is newer")
    func alertsToWhatIsTakenBack() {
        for one in cases(after: AnswerMatrix.overTime) where one.before.state.hasMoney {
            #expect(one.after.balance == one.before.balance.forward(to: one.after.balance))
            guard one.answer.isBehind(one.before.balance) else { continue }
            guard case .alert = one.decision, one.after.state == one.before.state else {
                Issue.record("\(one.before.state): silent about \(one.answer.words)")
                continue
            }
        }
        for one in cases(after: .zero) {
            if case .alert = one.decision { Issue.record("\(one.before.state): \(one.answer.words) may be older") }
        }
    }

    @Test("R10: a charge that the gateway is still deciding about is not declined by totals of zero")
    func awaitsWhatIsUndecided() {
        for (isStillDeciding, state) in [(true, PaymentState.uncertain), (false, .declined)] {
            var machine = AnswerMatrix.payment(in: .uncertain)
            let answer = GatewayAnswer(
                meaning: .pending(reason: "x"), captured: .zero, totals: Balance(), isStillDeciding: isStillDeciding,
                reference: "1", summary: [:], response: [:])
            _ = machine.handle(.queried(.answered(answer), timeUncertain: AnswerMatrix.overTime - .seconds(1)))
            #expect(machine.state == .uncertain)
            _ = machine.handle(.queried(.answered(answer), timeUncertain: AnswerMatrix.overTime))
            #expect(machine.state == state)
        }
    }
}
