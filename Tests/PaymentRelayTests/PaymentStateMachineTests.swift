import PayrelayPrimitives
import Testing

@testable import PaymentRelay

@Suite struct PaymentStateMachineTests {
    @Test(arguments: [
        (ProcessorAnswer.Meaning.authorized, PaymentState.authorized),
        (.captured, .captured),
        (.declined, .declined),
        (.pending(reason: "on hold"), .uncertain),
        (.duplicate, .uncertain),
        (.notFound, .uncertain),
    ])
    func settlesAChargeByItsVerifiedAnswer(meaning: ProcessorAnswer.Meaning, state: PaymentState) {
        var machine = PaymentStateMachine(amount: 10_000, notFoundAfter: .seconds(60))
        let answer = ProcessorAnswer(meaning)
        guard case .record(answer, _) = machine.handle(.charged(.answered(answer))) else {
            Issue.record("an answer must be recorded with what proves it")
            return
        }
        #expect(machine.state == state)
    }

    @Test("R10: a charge without an answer is uncertain, never declined")
    func takesATimeoutForUncertainAndNeverDeclined() {
        var machine = PaymentStateMachine(amount: 10_000, notFoundAfter: .seconds(60))
        #expect(machine.handle(.charged(.unanswered(reason: "timeout"))) == .record(nil, reason: "timeout"))
        #expect(machine.state == .uncertain)
    }

    @Test func recordsThatNothingWasSent() {
        var machine = PaymentStateMachine(amount: 10_000, notFoundAfter: .seconds(60))
        #expect(machine.handle(.charged(.notSent(reason: "refused"))) == .record(nil, reason: "refused"))
        #expect(machine.state == .notSent)
    }

    @Test("R5: a charge whose process ended is uncertain") func takesAnInterruptedChargeForUncertain() {
        var machine = PaymentStateMachine(amount: 10_000, notFoundAfter: .seconds(60))
        _ = machine.handle(.interrupted)
        #expect(machine.state == .uncertain)
    }

    @Test(arguments: [
        (ProcessorAnswer.Meaning.authorized, PaymentState.authorized),
        (.captured, .captured),
        (.declined, .declined),
        (.voided, .voided),
        (.refunded, .refunded),
    ])
    func settlesAnUncertainPaymentByAQuery(meaning: ProcessorAnswer.Meaning, state: PaymentState) {
        var machine = PaymentStateMachine(state: .uncertain, amount: 10_000, notFoundAfter: .seconds(60))
        _ = machine.handle(.queried(.answered(ProcessorAnswer(meaning)), timeUncertain: .zero))
        #expect(machine.state == state)
    }

    @Test("R10: \"no such order\" is final only when the request can no longer be under way")
    func takesNotFoundForFinalOnlyAfterTheTime() {
        let notFound = ProcessorReport.answered(ProcessorAnswer(.notFound))
        var machine = PaymentStateMachine(state: .uncertain, amount: 10_000, notFoundAfter: .seconds(60))
        guard case .stillOpen = machine.handle(.queried(notFound, timeUncertain: .seconds(59))) else {
            Issue.record("taken for final too early")
            return
        }
        #expect(machine.state == .uncertain)
        _ = machine.handle(.queried(notFound, timeUncertain: .seconds(60)))
        #expect(machine.state == .notProcessed)
    }

    @Test func changesNothingByAFailedQuery() {
        for report in [ProcessorReport.notSent(reason: "x"), .unanswered(reason: "x")] {
            var machine = PaymentStateMachine(state: .uncertain, amount: 10_000, notFoundAfter: .seconds(60))
            #expect(machine.handle(.queried(report, timeUncertain: .seconds(3600))) == .stillOpen(reason: "x"))
            #expect(machine.state == .uncertain)
        }
    }

    @Test("R10, R11: in any order of inputs, only an answer settles a payment, and it never goes back")
    func settlesOnlyByAnAnswerAndNeverGoesBack() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<5_000 {
            var machine = PaymentStateMachine(amount: 10_000, notFoundAfter: .seconds(60))
            for _ in 0..<12 {
                let before = machine.state
                let event = PaymentInput.random(using: &generator)
                let action = machine.handle(event)
                if !before.isOpen, machine.state != before {
                    #expect(!machine.state.isOpen, "\(before) reopened by \(event)")
                    #expect(machine.state.rank > before.rank, "\(before) taken back to \(machine.state) by \(event)")
                }
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

extension PaymentInput {
    fileprivate static func random(using generator: inout some RandomNumberGenerator) -> PaymentInput {
        let meanings: [ProcessorAnswer.Meaning] = [
            .authorized, .captured, .declined, .voided, .refunded, .pending(reason: "x"), .duplicate, .notFound,
        ]
        let reports: [ProcessorReport] =
            meanings.map { .answered(ProcessorAnswer($0)) } + [.notSent(reason: "x"), .unanswered(reason: "x")]
        let report = reports.randomElement(using: &generator) ?? .unanswered(reason: "x")
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: return .charged(report)
        case 1: return .interrupted
        default: return .queried(report, timeUncertain: .seconds(Int.random(in: 0...120, using: &generator)))
        }
    }
}

extension PaymentState {
    /// How far a settled payment has come: it only goes up.
    fileprivate var rank: Int {
        switch self {
        case .processing, .uncertain, .notProcessed: 0
        case .authorized: 1
        case .partiallyCaptured: 2
        case .captured: 3
        case .partiallyRefunded: 4
        case .declined, .notSent, .voided, .refunded: 5
        }
    }
}
