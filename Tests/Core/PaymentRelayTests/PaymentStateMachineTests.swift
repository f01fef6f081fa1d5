import JournalContract
import PayrelayPrimitives
import Testing

@testable import PaymentRelay

@Suite struct PaymentStateMachineTests {
    @Test(arguments: [
        (GatewayAnswer.Meaning.authorized, PaymentState.authorized),
        (.captured, .captured),
        (.declined, .declined),
        (.pending(reason: "on hold"), .uncertain),
        (.duplicate, .uncertain),
        (.notFound, .uncertain),
    ])
    func settlesAChargeByItsVerifiedAnswer(meaning: GatewayAnswer.Meaning, state: PaymentState) {
        var machine = SamplePayment(amount: 10_000, notFoundAfter: .seconds(60))
        let answer = GatewayAnswer(meaning)
        guard case .record(answer, _) = machine.handle(.charged(.answered(answer))) else {
            Issue.record("an answer must be recorded with what proves it")
            return
        }
        #expect(machine.state == state)
    }

    @Test("R10: a charge without an answer is uncertain, never declined")
    func takesATimeoutForUncertainAndNeverDeclined() {
        var machine = SamplePayment(amount: 10_000, notFoundAfter: .seconds(60))
        #expect(machine.handle(.charged(.unknown(reason: "timeout"))) == .record(nil, reason: "timeout"))
        #expect(machine.state == .uncertain)
    }

    @Test func recordsThatNothingWasSent() {
        var machine = SamplePayment(amount: 10_000, notFoundAfter: .seconds(60))
        #expect(machine.handle(.charged(.notSent(reason: "refused"))) == .record(nil, reason: "refused"))
        #expect(machine.state == .notSent)
    }

    @Test("R5: a charge whose process ended is uncertain") func takesAnInterruptedChargeForUncertain() {
        var machine = SamplePayment(amount: 10_000, notFoundAfter: .seconds(60))
        _ = machine.handle(.interrupted)
        #expect(machine.state == .uncertain)
    }

    @Test(arguments: [
        (GatewayAnswer(.authorized, authorized: 10_000, reference: "1"), PaymentState.authorized),
        (.paid(reference: "1"), .captured),
        (GatewayAnswer(.declined, reference: "1"), .declined),
        (GatewayAnswer(.voided, reference: "1"), .voided),
        (GatewayAnswer(.refunded, totals: Balance(captured: 10_000, refunded: 10_000), reference: "1"), .refunded),
    ])
    func settlesAnUncertainPaymentByAQuery(answer: GatewayAnswer, state: PaymentState) {
        var machine = SamplePayment(
            state: .uncertain, amount: 10_000, gatewayReference: "1", notFoundAfter: .seconds(60))
        _ = machine.handle(.queried(.answered(answer), timeUncertain: .zero))
        #expect(machine.state == state)
    }

    @Test(
        "R10: an answer without money about another number proves nothing of a charge whose own answer named its number",
        arguments: [
            GatewayAnswer(.declined, reference: "2"), GatewayAnswer(.voided, authorized: 10_000, reference: "2"),
            GatewayAnswer(.declined, totals: Balance(), reference: "2"), GatewayAnswer(.duplicate, reference: "2"),
            GatewayAnswer(.notFound, reference: "2"),
        ])
    func ignoresAnotherNumber(answer: GatewayAnswer) {
        var machine = SamplePayment(amount: 10_000, notFoundAfter: .seconds(60))
        let unconfirmed = GatewayAnswer(.pending(reason: "not confirmed"), reference: "1")
        _ = machine.handle(.charged(.answered(unconfirmed)))
        #expect(machine.payment.gatewayReference == "1" && machine.payment.isReferenceOfCharge)
        for time in [Duration.zero, .seconds(24 * 60)] {
            _ = machine.handle(.queried(.answered(answer), timeUncertain: time))
            #expect(machine.state == .uncertain && machine.payment.gatewayReference == "1")
        }
        _ = machine.handle(.queried(.answered(.paid(reference: "1")), timeUncertain: .zero))
        #expect(machine.state == .captured)
    }

    @Test("R10: a number that only a query named may be an earlier attempt's, so its decline counts after the time")
    func waitsForTheDeclineOfANumberFromAQuery() {
        var machine = SamplePayment(amount: 10_000, notFoundAfter: .seconds(60))
        _ = machine.handle(.charged(.unknown(reason: "timeout")))
        let pending = GatewayAnswer(.pending(reason: "in review"), reference: "1")
        _ = machine.handle(.queried(.answered(pending), timeUncertain: .zero))
        #expect(machine.payment.gatewayReference == "1" && !machine.payment.isReferenceOfCharge)
        let declined = Outcome<GatewayAnswer>.answered(GatewayAnswer(.declined, reference: "1"))
        _ = machine.handle(.queried(declined, timeUncertain: .seconds(59)))
        #expect(machine.state == .uncertain)
        _ = machine.handle(.queried(.answered(.paid(reference: "2")), timeUncertain: .seconds(59)))
        #expect(machine.state == .captured && machine.payment.gatewayReference == "2")
    }

    @Test(
        "R10: while a charge may be on its way, an earlier attempt with the reference does not decide its outcome",
        arguments: [(nil, .seconds(60)), ("2", .seconds(24 * 60))] as [(String?, Duration)])
    func waitsBehindAnEarlierTry(reference: String?, patience: Duration) {
        for (meaning, state) in [(GatewayAnswer.Meaning.declined, PaymentState.declined), (.voided, .voided)] {
            var machine = SamplePayment(
                state: .uncertain, amount: 10_000, gatewayReference: reference, isReferenceOfCharge: false,
                notFoundAfter: .seconds(60))
            let earlier = Outcome<GatewayAnswer>.answered(GatewayAnswer(meaning, reference: "1"))
            for time in [Duration.zero, patience - .seconds(1)] {
                guard case .stillOpen = machine.handle(.queried(earlier, timeUncertain: time)) else {
                    Issue.record("the customer would pay again, beside the charge")
                    return
                }
            }
            _ = machine.handle(.queried(earlier, timeUncertain: patience))
            #expect(machine.state == state)
        }
    }

    @Test(
        "An amount that was captured before the rest of the hold was voided is not lost",
        arguments: [PaymentState.uncertain, .authorized, .voided, .declined],
        // An answer may leave out that nothing was refunded.
        [GatewayAnswer(.voided, totals: Balance(captured: 4_000)), GatewayAnswer(.voided, captured: 4_000)])
    func keepsWhatWasCapturedBesideAVoid(state: PaymentState, answer: GatewayAnswer) {
        var machine = SamplePayment(state: state, amount: 10_000, notFoundAfter: .seconds(60))
        _ = machine.handle(.queried(.answered(answer), timeUncertain: .zero))
        #expect(machine.state == .partiallyCaptured && machine.balance == Balance(captured: 4_000))
        #expect(machine.handle(.queried(.answered(answer), timeUncertain: .zero)) == .unchanged)
    }

    @Test("R14: an amount captured beside a void must fit the order's amount, or belongs to another order")
    func holdsWhatWasCapturedBesideAVoidAgainstTheOrder() {
        let payment = SamplePayment(state: .uncertain, amount: 10_000, notFoundAfter: .seconds(60)).payment
        for answer in [
            GatewayAnswer(.voided, authorized: 9_000, totals: Balance(captured: 4_000)),
            GatewayAnswer(.voided, captured: 10_001),
        ] {
            #expect(answer.implausibility(for: payment)?.kind == .otherAmount)
        }
        let rest = GatewayAnswer(.voided, authorized: 10_000, totals: Balance(captured: 4_000))
        #expect(rest.implausibility(for: payment) == nil)
    }

    @Test("R14: a purchase is captured whole, unless the gateway holds it") func takesPartsOfAHeldPurchase() {
        let part = GatewayAnswer(.captured, authorized: 10_000, totals: Balance(captured: 4_000))
        func payment(_ state: PaymentState, _ balance: Balance = Balance()) -> Payment {
            Payment(
                merchantReference: "A", command: .purchase, amount: 10_000, currency: "AED", fingerprint: nil,
                appleTransactionIdentifier: nil, claimedAt: .wholeSecond, gateway: SampleGateway.name, state: state,
                balance: balance)
        }
        #expect(part.implausibility(for: payment(.authorized)) == nil)
        #expect(part.implausibility(for: payment(.partiallyCaptured, Balance(captured: 4_000))) == nil)
        let whole = [payment(.uncertain), payment(.processing)]
        #expect(whole.allSatisfy { part.implausibility(for: $0)?.kind == .otherAmount })
        // Less than the proven amount contradicts the record. `TakenBackTests` test that.
        #expect(part.implausibility(for: payment(.captured, Balance(captured: 10_000))) == nil)
    }

    @Test("R10: \"no such order\" is final only when the request can no longer be under way")
    func takesNotFoundForFinalOnlyAfterTheTime() {
        let notFound = Outcome<GatewayAnswer>.answered(GatewayAnswer(.notFound))
        var machine = SamplePayment(state: .uncertain, amount: 10_000, notFoundAfter: .seconds(60))
        guard case .stillOpen = machine.handle(.queried(notFound, timeUncertain: .seconds(59))) else {
            Issue.record("taken for final too early")
            return
        }
        #expect(machine.state == .uncertain)
        _ = machine.handle(.queried(notFound, timeUncertain: .seconds(60)))
        #expect(machine.state == .notProcessed)
    }

    @Test("R10: of a charge that the gateway has named, \"no such order\" is not final for much longer")
    func waitsLongerForAChargeThatTheGatewayHad() {
        let notFound = Outcome<GatewayAnswer>.answered(GatewayAnswer(.notFound))
        var machine = SamplePayment(amount: 10_000, notFoundAfter: .seconds(60))
        _ = machine.handle(.charged(.answered(GatewayAnswer(.pending(reason: "in review"), reference: "1"))))
        guard case .stillOpen = machine.handle(.queried(notFound, timeUncertain: .seconds(24 * 60 - 1))) else {
            Issue.record("the customer would pay again, beside what is in review")
            return
        }
        _ = machine.handle(.queried(notFound, timeUncertain: .seconds(24 * 60)))
        #expect(machine.state == .notProcessed)
    }

    @Test(
        "R10: once any answer names a charge, even the answer to a query, \"no such order\" is not final for much longer",
        arguments: [true, false])
    func keepsTheNumberThatAnAnswerNames(isOfQuestion: Bool) {
        let named = Outcome<GatewayAnswer>.answered(
            GatewayAnswer(.pending(reason: "in review"), reference: "1"))
        let event = isOfQuestion ? SampleEvent.queried(named, timeUncertain: .zero) : .charged(named)
        let notFound = Outcome<GatewayAnswer>.answered(GatewayAnswer(.notFound))
        var machine = SamplePayment(amount: 10_000, notFoundAfter: .seconds(60))
        _ = machine.handle(.charged(.unknown(reason: "timeout")))
        guard case .record(_?, _) = machine.handle(event) else {
            Issue.record("the charge's number is not recorded, or tells of a second charge")
            return
        }
        #expect(machine.state == .uncertain && machine.payment.gatewayReference == "1")
        guard case .stillOpen = machine.handle(event) else {
            Issue.record("it is recorded with each question")
            return
        }
        guard case .stillOpen = machine.handle(.queried(notFound, timeUncertain: .seconds(24 * 60 - 1))) else {
            Issue.record("the customer would pay again, beside what is in review")
            return
        }
        _ = machine.handle(.queried(notFound, timeUncertain: .seconds(24 * 60)))
        #expect(machine.state == .notProcessed)
    }

    @Test("R10: the number of an earlier attempt does not become the charge's number")
    func keepsNoNumberOfAnEarlierTry() {
        var machine = SamplePayment(state: .uncertain, amount: 10_000, notFoundAfter: .seconds(60))
        let earlier = Outcome<GatewayAnswer>.answered(GatewayAnswer(.declined, reference: "1"))
        _ = machine.handle(.queried(earlier, timeUncertain: .zero))
        #expect(machine.payment.gatewayReference == nil)
    }

    @Test func changesNothingByAFailedQuery() {
        for report in [Outcome<GatewayAnswer>.notSent(reason: "x"), .unknown(reason: "x")] {
            var machine = SamplePayment(state: .uncertain, amount: 10_000, notFoundAfter: .seconds(60))
            #expect(machine.handle(.queried(report, timeUncertain: .seconds(3600))) == .stillOpen(reason: "x"))
            #expect(machine.state == .uncertain)
        }
    }

    @Test(
        "R11: money that the gateway proves to have taken is recorded in every state of the payment",
        arguments: [PaymentState.notSent, .declined, .notProcessed, .voided])
    func recordsAProvenChargeInAnyState(state: PaymentState) {
        for (answer, expected) in [
            (GatewayAnswer(.captured, totals: Balance(captured: 10_000)), PaymentState.captured),
            (GatewayAnswer(.refunded, totals: Balance(captured: 10_000, refunded: 4_000)), .partiallyRefunded),
        ] {
            for input in [
                SampleEvent.queried(.answered(answer), timeUncertain: .zero), .charged(.answered(answer)),
            ] {
                var machine = SamplePayment(state: state, amount: 10_000, notFoundAfter: .seconds(60))
                guard case .record(answer, _) = machine.handle(input) else {
                    Issue.record("\(state) dropped a charge")
                    continue
                }
                #expect(machine.state == expected)
            }
        }
    }

    @Test("R11: a decline takes nothing back") func aDeclineTakesNothingBack() {
        for state in PaymentState.allCases where state.hasMoney {
            var machine = SamplePayment(
                state: state, amount: StateTable.amount, balance: state.sampleBalance, notFoundAfter: .seconds(60))
            for input in [
                SampleEvent.queried(.answered(GatewayAnswer(.declined)), timeUncertain: .zero),
                .charged(.answered(GatewayAnswer(.declined))),
            ] {
                // The answer to a query may be older than the last change, so the gateway is queried again.
                #expect(["query", "–"].contains(machine.handle(input).word))
                #expect(machine.state == state)
            }
        }
    }

    @Test("R14: a gateway's answer about another charge does not change this payment") func keepsChargesApart() {
        for meaning in [GatewayAnswer.Meaning.captured, .refunded, .authorized] {
            let other = GatewayAnswer(
                meaning, totals: Balance(captured: 10_000, refunded: 10_000), reference: "other")
            var machine = SamplePayment(
                state: .authorized, amount: 10_000, gatewayReference: "known", notFoundAfter: .seconds(60))
            guard case .alert(other, _) = machine.handle(.queried(.answered(other), timeUncertain: .zero)) else {
                Issue.record("a second charge is silent")
                continue
            }
            #expect(machine.state == .authorized && machine.balance == Balance())
        }
        var machine = SamplePayment(
            state: .authorized, amount: 10_000, gatewayReference: "known", notFoundAfter: .seconds(60))
        let voided = GatewayAnswer(.voided, reference: "other")
        #expect(machine.handle(.queried(.answered(voided), timeUncertain: .zero)) == .unchanged)
        let rest = GatewayAnswer(.voided, totals: Balance(captured: 4_000), reference: "other")
        guard case .alert(rest, _) = machine.handle(.queried(.answered(rest), timeUncertain: .zero)) else {
            Issue.record("a second charge is silent whose rest was lifted")
            return
        }
    }

    @Test("R10, R11: in any order of inputs, only an answer settles a payment, and it never goes back")
    func settlesOnlyByAnAnswerAndNeverGoesBack() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<5_000 {
            var machine = SamplePayment(amount: 10_000, notFoundAfter: .seconds(60))
            for _ in 0..<12 {
                let (before, balance) = (machine.state, machine.balance)
                let event = SampleEvent.random(using: &generator)
                let action = machine.handle(event)
                if !before.isOpen, machine.state != before {
                    #expect(!machine.state.isOpen, "\(before) reopened by \(event)")
                    #expect(
                        !before.hasMoney || machine.state.hasMoney || (before, machine.state) == (.authorized, .voided),
                        "\(before) taken back to \(machine.state) by \(event)")
                }
                #expect(machine.balance == balance.forward(to: machine.balance), "money taken back by \(event)")
                let isSettledNow = machine.state != before && !machine.state.isOpen && machine.state != .notSent
                if isSettledNow {
                    guard case .record(_?, _) = action else {
                        Issue.record("\(before) became \(machine.state) without an answer, by \(event)")
                        return
                    }
                }
            }
        }
    }
}

extension SampleEvent {
    fileprivate static func random(using generator: inout some RandomNumberGenerator) -> SampleEvent {
        let meanings: [GatewayAnswer.Meaning] = [
            .authorized, .captured, .declined, .voided, .refunded, .pending(reason: "x"), .duplicate, .notFound,
        ]
        let reports: [Outcome<GatewayAnswer>] =
            meanings.map { .answered(GatewayAnswer($0)) } + [.notSent(reason: "x"), .unknown(reason: "x")]
        let report = reports.randomElement(using: &generator) ?? .unknown(reason: "x")
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: return .charged(report)
        case 1: return .interrupted
        default: return .queried(report, timeUncertain: .seconds(Int.random(in: 0...120, using: &generator)))
        }
    }
}
