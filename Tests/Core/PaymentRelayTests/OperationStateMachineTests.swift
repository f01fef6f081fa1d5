import JournalContract
import PayrelayPrimitives
import Testing

@testable import PaymentRelay

/// The machine's handling of a payment after its authorization.
@Suite struct OperationStateMachineTests {
    @Test(
        arguments: [
            (PaymentState.authorized, Balance(), OperationCommand.capture, 10_000),
            (.partiallyCaptured, Balance(captured: 4_000), .capture, 6_000),
            (.authorized, Balance(), .voidAuthorization, 10_000),
            (.captured, Balance(captured: 10_000), .refund, 10_000),
            (.partiallyRefunded, Balance(captured: 10_000, refunded: 1), .refund, 9_999),
            (.partiallyCaptured, Balance(captured: 4_000), .refund, 4_000),
        ] as [(PaymentState, Balance, OperationCommand, MinorUnits)])
    func permitsWhatIsLeftAndNothingMore(
        state: PaymentState, balance: Balance, command: OperationCommand, left: MinorUnits
    ) {
        #expect(ask(state, balance, command, nil) == .begin(amount: left))
        #expect(ask(state, balance, command, 1) == .begin(amount: command == .voidAuthorization ? left : 1))
        guard command != .voidAuthorization else { return }
        #expect(ask(state, balance, command, left) == .begin(amount: left))
        #expect(
            ask(state, balance, command, left.adding(1))
                == .refuse(
                    .notAllowed(
                        reason:
                            "only \(left.text(in: .AED)) AED is left to \(command == .capture ? "capture" : "refund")"))
        )
    }

    @Test(arguments: [
        (PaymentState.captured, Balance(captured: 10_000), OperationCommand.capture),
        (.captured, Balance(captured: 10_000), .voidAuthorization),
        (.partiallyRefunded, Balance(captured: 4_000, refunded: 1_000), .capture),
        (.refunded, Balance(captured: 4_000, refunded: 4_000), .capture),
        (.partiallyCaptured, Balance(captured: 1), .voidAuthorization),
        (.authorized, Balance(), .refund), (.refunded, Balance(captured: 10_000, refunded: 10_000), .refund),
        (.voided, Balance(), .capture), (.voided, Balance(), .voidAuthorization), (.voided, Balance(), .refund),
        (.declined, Balance(), .capture), (.notSent, Balance(), .refund),
        (.notProcessed, Balance(), .voidAuthorization),
    ])
    func refusesWhatTheStateDoesNotAllow(state: PaymentState, balance: Balance, command: OperationCommand) {
        guard case .refuse(.notAllowed) = ask(state, balance, command, nil) else {
            Issue.record("\(command) of what is \(state) must not begin")
            return
        }
    }

    @Test("R1: no operation begins while anything of the payment is open") func beginsNoOperationWhileAnythingIsOpen() {
        for state in [PaymentState.processing, .uncertain] {
            #expect(ask(state, Balance(), .capture, nil) == .refuse(.inFlight))
        }
        for state in PaymentOperation.State.allCases where state.isOpen {
            var machine = during(.capture, 1, state)
            #expect(machine.handle(.requested(.capture, amount: 1)) == .refuse(.inFlight))
        }
    }

    @Test(arguments: [
        (
            OperationCommand.capture, MinorUnits(integerLiteral: 4_000), PaymentState.partiallyCaptured,
            Balance(captured: 4_000)
        ),
        (.capture, 10_000, .captured, Balance(captured: 10_000)), (.voidAuthorization, 10_000, .voided, Balance()),
    ])
    func changesThePaymentByAVerifiedSuccess(
        command: OperationCommand, amount: MinorUnits, state: PaymentState, balance: Balance
    ) {
        var machine = during(command, amount, .processing)
        let answer = GatewayAnswer(command.success)
        #expect(
            machine.handle(.performed(.answered(answer)))
                == .recordOperation(answer, reason: "\(command.verb) of \(amount.text(in: .AED)) AED: done"))
        #expect(machine.operation?.state == .done)
        #expect(machine.state == state)
        #expect(machine.balance == balance)
    }

    /// Another command's success does not count, and a missing answer is not a success.
    @Test("R10: an operation without a verified success or decline stays open")
    func leavesAnOperationOpenWithoutAVerifiedSuccess() {
        let reports: [(Outcome<GatewayAnswer>, PaymentOperation.State)] = [
            (.unknown(reason: "timeout"), .uncertain), (.answered(GatewayAnswer(.duplicate)), .uncertain),
            (.answered(GatewayAnswer(.refunded)), .uncertain), (.answered(GatewayAnswer(.notFound)), .uncertain),
            (.answered(GatewayAnswer(.pending(reason: "on hold"))), .pending),
        ]
        for (report, state) in reports {
            var machine = during(.capture, 10_000, .processing)
            _ = machine.handle(.performed(report))
            #expect(machine.operation?.state == state)
            #expect(machine.state == .authorized && machine.balance == Balance())
        }
    }

    @Test("R10: the gateway's totals settle a capture without an answer")
    func settlesALostCaptureByTheGatewaysTotals() {
        var machine = during(.capture, 3_000, .uncertain, before: Balance(captured: 2_000))
        let without = GatewayAnswer(.captured, totals: Balance(captured: 2_000))
        #expect(
            machine.handle(.queried(.answered(without), timeUncertain: .seconds(59)))
                == .stillOpen(reason: "the gateway's totals do not show it yet"))
        let with = GatewayAnswer(.captured, totals: Balance(captured: 5_000))
        #expect(
            machine.handle(.queried(.answered(with), timeUncertain: .zero))
                == .recordOperation(with, reason: "Capture of 30.00 AED: done"))
        #expect(machine.operation?.state == .done)
        #expect(machine.balance == Balance(captured: 5_000))

        machine = during(.capture, 3_000, .uncertain, before: Balance(captured: 2_000))
        _ = machine.handle(.queried(.answered(without), timeUncertain: .seconds(60)))
        #expect(machine.operation?.state == .notProcessed)
        #expect(machine.balance == Balance(captured: 2_000))
    }

    @Test("R10: a capture without an answer was not processed if the hold was voided and nothing was captured")
    func settlesALostCaptureOfALiftedHold() {
        var machine = during(.capture, 3_000, .uncertain)
        let voided = GatewayAnswer(.voided, totals: Balance())
        guard case .stillOpen = machine.handle(.queried(.answered(voided), timeUncertain: .seconds(59))) else {
            Issue.record("the capture may still be on its way")
            return
        }
        _ = machine.handle(.queried(.answered(voided), timeUncertain: .seconds(60)))
        #expect(machine.operation?.state == .notProcessed && machine.balance == Balance())
        #expect(machine.state == .voided)

        // A part was captured before, and the gateway lifted the remaining hold.
        machine = during(.capture, 3_000, .uncertain, before: Balance(captured: 2_000))
        let rest = GatewayAnswer(.voided, totals: Balance(captured: 2_000))
        _ = machine.handle(.queried(.answered(rest), timeUncertain: .seconds(60)))
        #expect(machine.operation?.state == .notProcessed && machine.balance == Balance(captured: 2_000))
        #expect(machine.state == .partiallyCaptured)
    }

    @Test(
        "R10: if the gateway voided the rest of a hold, an operation ends by the captured and refunded amounts",
        arguments: [
            (.capture, 4_000, 0, Balance(captured: 4_000), .done, .partiallyCaptured),
            (.capture, 4_000, 0, Balance(captured: 3_000), .notProcessed, .partiallyCaptured),
            (.capture, 2_000, 4_000, Balance(captured: 4_000), .notProcessed, .partiallyCaptured),
            (.refund, 4_000, 4_000, Balance(captured: 4_000), .notProcessed, .partiallyCaptured),
            (.refund, 4_000, 4_000, Balance(captured: 4_000, refunded: 4_000), .done, .refunded),
            (.voidAuthorization, 10_000, 0, Balance(captured: 4_000), .done, .partiallyCaptured),
        ] as [(OperationCommand, MinorUnits, MinorUnits, Balance, PaymentOperation.State, PaymentState)])
    func settlesAnOperationBesideALiftedRest(
        command: OperationCommand, amount: MinorUnits, captured: MinorUnits, totals: Balance,
        end: PaymentOperation.State, state: PaymentState
    ) {
        // An answer may leave out that nothing was refunded.
        let unsaid = totals.refunded == .zero ? [GatewayAnswer(.voided, captured: totals.captured)] : []
        for answer in [GatewayAnswer(.voided, totals: totals)] + unsaid {
            var machine = during(command, amount, .uncertain, before: Balance(captured: captured))
            _ = machine.handle(.queried(.answered(answer), timeUncertain: .seconds(60)))
            #expect(machine.operation?.state == end)
            #expect(machine.state == state && machine.balance == totals)
        }
    }

    @Test func waitsLongerForAnOperationOnHold() {
        var machine = during(.refund, 3_000, .pending, before: Balance(captured: 10_000))
        let without = GatewayAnswer(.captured, totals: Balance(captured: 10_000))
        guard case .stillOpen = machine.handle(.queried(.answered(without), timeUncertain: .seconds(24 * 60 - 1)))
        else {
            Issue.record("a second refund would follow")
            return
        }
        #expect(machine.operation?.state == .pending)
        _ = machine.handle(.queried(.answered(without), timeUncertain: .seconds(24 * 60)))
        #expect(machine.operation?.state == .notProcessed)
    }

    @Test(
        "R10: totals that show an operation prove it, whatever the status says",
        arguments: [
            GatewayAnswer.Meaning.authorized, .declined, .voided, .pending(reason: "07006"), .duplicate, .captured,
            .refunded, .notFound,
        ])
    func takesTotalsForProofOfAnOperation(meaning: GatewayAnswer.Meaning) {
        var machine = during(.capture, 10_000, .uncertain)
        _ = machine.handle(
            .queried(.answered(GatewayAnswer(meaning, totals: Balance(captured: 10_000))), timeUncertain: .zero))
        #expect(machine.operation?.state == .done && machine.balance == Balance(captured: 10_000))
        machine = during(.refund, 10_000, .pending, before: Balance(captured: 10_000))
        let refunded = Balance(captured: 10_000, refunded: 10_000)
        _ = machine.handle(.queried(.answered(GatewayAnswer(meaning, totals: refunded)), timeUncertain: .zero))
        #expect(machine.operation?.state == .done && machine.balance == refunded)
    }

    @Test(
        "R10: an operation without an end of its own ends after the time, by totals that do not show it",
        arguments: [
            GatewayAnswer.Meaning.captured, .pending(reason: "07006"), .declined, .duplicate, .authorized, .notFound,
        ], [PaymentOperation.State.uncertain, .pending])
    func endsAnOperationByTotals(meaning: GatewayAnswer.Meaning, state: PaymentOperation.State) {
        var machine = during(.refund, 3_000, state, before: Balance(captured: 10_000))
        let without = Outcome<GatewayAnswer>.answered(
            GatewayAnswer(meaning, totals: Balance(captured: 10_000)))
        guard case .stillOpen = machine.handle(.queried(without, timeUncertain: .seconds(59))) else {
            Issue.record("the refund may still be on its way")
            return
        }
        _ = machine.handle(.queried(without, timeUncertain: .seconds(24 * 60)))
        #expect(machine.operation?.state == .notProcessed && machine.balance == Balance(captured: 10_000))
    }

    @Test(
        "R14: totals below the proven amounts do not end an operation, however long they stay: an operator is alerted",
        arguments: [
            (OperationCommand.refund, 3_100, Balance(captured: 10_000, refunded: 3_000), Balance(captured: 10_000)),
            (.refund, 3_100, Balance(captured: 10_000, refunded: 3_000), Balance(captured: 9_999, refunded: 6_100)),
            (.capture, 4_000, Balance(captured: 5_000), Balance(captured: 4_999)),
            (.capture, 4_000, Balance(captured: 5_000), Balance()),
        ] as [(OperationCommand, MinorUnits, Balance, Balance)])
    func endsNoOperationByOldTotals(
        command: OperationCommand, amount: MinorUnits, before: Balance, totals: Balance
    ) {
        for meaning in [GatewayAnswer.Meaning.captured, .refunded, .declined, .authorized, .voided] {
            var machine = during(command, amount, .uncertain, before: before)
            let old = Outcome<GatewayAnswer>.answered(GatewayAnswer(meaning, totals: totals))
            guard case .stillOpen = machine.handle(.queried(old, timeUncertain: .zero)),
                case .alert = machine.handle(.queried(old, timeUncertain: .seconds(24 * 60)))
            else {
                Issue.record("\(meaning) with old totals ended the operation, or nobody is told")
                continue
            }
            #expect(machine.operation?.state == .uncertain && machine.balance == before)
        }
    }

    @Test(
        "R10: what no totals can decide alerts an operator after the time, and stays open",
        arguments: [
            (OperationCommand.voidAuthorization, GatewayAnswer(.pending(reason: "09006"), totals: Balance())),
            (.voidAuthorization, GatewayAnswer(.notFound)), (.capture, GatewayAnswer(.captured)),
            (.capture, GatewayAnswer(.authorized)), (.capture, GatewayAnswer(.notFound)),
        ])
    func alertsToWhatTotalsCannotDecide(command: OperationCommand, answer: GatewayAnswer) {
        var machine = during(command, 10_000, .uncertain)
        guard case .alert = machine.handle(.queried(.answered(answer), timeUncertain: .seconds(24 * 60))) else {
            Issue.record("\(command) stays open, and nobody is told")
            return
        }
        #expect(machine.operation?.state == .uncertain)
    }

    @Test(
        "An operation that is refused as not allowed is done if the totals show it, and otherwise declined with what they show"
    )
    func declinesWhatIsNotAllowedWithTheStatus() {
        let notAllowed = Outcome<GatewayAnswer>.answered(
            GatewayAnswer(meaning: .declined, isNotAllowed: true, summary: [:], response: [:]))
        func after(_ status: Outcome<GatewayAnswer>?) -> Payment? {
            let payment = during(.voidAuthorization, 10_000, .processing).payment
            let decision = payment.apply(
                .performed(payment.operations[0], notAllowed, status: status), on: .at(payment.claimedAt),
                patience: NotFoundPatience(charge: .zero, operation: .zero))
            guard case .record(let change) = decision else { return nil }
            return change.after
        }
        let captured = after(.answered(.paid()))
        #expect(captured?.operations.last?.state == .declined)
        #expect(captured?.state == .captured && captured?.balance == Balance(captured: 10_000))
        let voided = after(.answered(GatewayAnswer(.voided, totals: Balance())))
        #expect(voided?.operations.last?.state == .done && voided?.state == .voided)
        for silence in [nil, .unknown(reason: "timeout"), .notSent(reason: "")] as [Outcome<GatewayAnswer>?] {
            let unknown = after(silence)
            #expect(unknown?.operations.last?.state == .uncertain && unknown?.state == .authorized)
        }
    }

    @Test("R10: a verified answer counts even if the operation's lease expired before it arrived")
    func takesALateAnswerToAnOperation() {
        for state in [PaymentOperation.State.uncertain, .pending] {
            var machine = during(.refund, 1, state, before: Balance(captured: 10_000))
            let done = GatewayAnswer(.refunded)
            #expect(
                machine.handle(.performed(.answered(done)))
                    == .recordOperation(done, reason: "Refund of 0.01 AED: done"))
            #expect(machine.state == .partiallyRefunded)
        }
    }

    @Test("R11: an answer to one operation says nothing of another") func keepsOperationsApart() {
        let payment = during(.refund, 1, .processing, before: Balance(captured: 10_000)).payment
        var other = PaymentOperation.sample(.refund, 1, .processing)
        other = PaymentOperation(
            command: .refund, amount: 1, maintenanceReference: "m-2", idempotencyKey: nil,
            before: other.before,
            begunAt: other.begunAt)
        let decision = payment.apply(
            .performed(other, .answered(GatewayAnswer(.refunded))), on: .at(payment.claimedAt),
            patience: NotFoundPatience(charge: .zero, operation: .zero))
        guard case .stillOpen = decision else {
            Issue.record("another refund's answer settled this one")
            return
        }
    }

    @Test("R5: an operation that was not sent is none") func dropsWhatWasNotSent() {
        var machine = during(.capture, 1, .processing)
        #expect(
            machine.handle(.performed(.notSent(reason: "refused")))
                == .recordOperation(nil, reason: "Capture of 0.01 AED: not_sent, refused"))
        #expect(machine.operation == nil && machine.state == .authorized)
    }

    @Test("R11: external operations are adopted from the totals, which never go back")
    func adoptsWhatWasDoneElsewhereAndNeverTakesItBack() {
        var machine = SamplePayment(state: .authorized, amount: 10_000, notFoundAfter: .seconds(60))
        func query(_ meaning: GatewayAnswer.Meaning, _ totals: Balance) -> SampleEvent {
            .queried(.answered(GatewayAnswer(meaning, totals: totals)), timeUncertain: .zero)
        }
        _ = machine.handle(query(.captured, Balance(captured: 4_000)))
        #expect(machine.state == .partiallyCaptured)
        _ = machine.handle(query(.refunded, Balance(captured: 10_000, refunded: 10_000)))
        #expect(machine.state == .refunded)
        for older in [
            query(.captured, Balance(captured: 4_000)), query(.authorized, Balance()), query(.voided, Balance()),
        ] {
            guard case .stillOpen = machine.handle(older) else {
                Issue.record("an answer that may be older than the refund is taken for a contradiction")
                continue
            }
            #expect(machine.state == .refunded && machine.balance == Balance(captured: 10_000, refunded: 10_000))
        }
    }

    /// For any inputs in any order: no more is refunded than captured, no more is captured than authorized, no total shrinks,
    /// and only an answer moves money.
    @Test("R14: in any order of inputs, no more is refunded than captured or captured than authorized")
    func keepsTheBooksForAnyOrderOfInputs() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<3_000 {
            var machine = SamplePayment(state: .authorized, amount: 100, notFoundAfter: .seconds(60))
            for _ in 0..<20 {
                let before = machine
                let event = SampleEvent.operation(using: &generator)
                let action = machine.handle(event)
                if case .begin(let amount) = action, case .requested(let command, _) = event {
                    machine.operation = .sample(command, amount, .processing, before: machine.balance)
                }
                #expect(machine.balance.captured >= before.balance.captured)
                #expect(machine.balance.refunded >= before.balance.refunded)
                #expect(machine.balance.captured <= 100 && machine.balance.refunded <= machine.balance.captured)
                guard machine.balance != before.balance else { continue }
                switch action {
                case .record(_?, _), .recordOperation(_?, _): break
                default: Issue.record("\(event) moved money without an answer")
                }
            }
        }
    }

    private func ask(
        _ state: PaymentState, _ balance: Balance, _ command: OperationCommand, _ amount: MinorUnits?
    ) -> MachineDecision {
        var machine = SamplePayment(state: state, amount: 10_000, balance: balance, notFoundAfter: .seconds(60))
        return machine.handle(.requested(command, amount: amount))
    }

    private func during(
        _ command: OperationCommand, _ amount: MinorUnits, _ state: PaymentOperation.State,
        before: Balance = Balance()
    ) -> SamplePayment {
        SamplePayment(
            state: before.state(of: 10_000), amount: 10_000, balance: before,
            operation: .sample(command, amount, state, before: before), notFoundAfter: .seconds(60))
    }
}

extension SampleEvent {
    /// Returns a random event that a gateway with correct books could cause.
    fileprivate static func operation(using generator: inout some RandomNumberGenerator) -> SampleEvent {
        let command = OperationCommand.allCases.randomElement(using: &generator) ?? .capture
        let captured = Int.random(in: 0...100, using: &generator)
        let refunded = Int.random(in: 0...captured, using: &generator)
        let meanings: [GatewayAnswer.Meaning] = [command.success, .declined, .pending(reason: "x"), .duplicate]
        let answer = GatewayAnswer(
            meanings.randomElement(using: &generator) ?? .declined,
            totals: Bool.random(using: &generator)
                ? nil
                : MinorUnits(captured).flatMap { captured in
                    MinorUnits(refunded).map { Balance(captured: captured, refunded: $0) }
                })
        switch Int.random(in: 0..<5, using: &generator) {
        case 0, 1: return .requested(command, amount: Bool.random(using: &generator) ? nil : MinorUnits(captured + 1))
        case 2: return .performed(.answered(GatewayAnswer(answer.meaning)))
        case 3: return .performed(.unknown(reason: "x"))
        default:
            return .queried(.answered(answer), timeUncertain: .seconds(Int.random(in: 0...120, using: &generator)))
        }
    }
}
