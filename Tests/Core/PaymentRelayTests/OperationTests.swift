import ApplePayToken
import Foundation
import JournalContract
import Logging
import PayrelayPrimitives
import Synchronization
import Testing

@testable import PaymentRelay

/// Capture, void and refund: each is recorded, sent once, recorded again with its outcome, and replayed to the same request.
@Suite struct OperationTests {
    let journal = MemoryJournal()

    @Test("S12: a capture is durable before it is sent, and its outcome before the client is answered")
    func recordsACaptureBeforeItIsSentAndItsOutcomeBeforeTheAnswer() async throws {
        let seen = Mutex<PaymentOperation?>(nil)
        let gateway = ScriptedGateway(
            onCharge: Self.authorized,
            onOperation: { [journal] operation in
                let open = await journal.payment("A")?.openOperation
                seen.withLock { $0 = open }
                return .answered(GatewayAnswer(operation.command.success))
            })
        let relay = try await relay(gateway)
        let result = try await relay.perform(.sample(.capture, amount: 4_000))
        #expect(seen.withLock { $0?.state } == .processing)
        #expect(result.operation.state == .done)
        let payment = try #require(await journal.payment("A"))
        #expect(payment.state == .partiallyCaptured && payment.balance == Balance(captured: 4_000))
        #expect(payment.operations == [result.operation])
        #expect(
            await journal.history(of: "A").map(\.reason)
                == [nil, nil, "Capture of 40.00 AED begun", "Capture of 40.00 AED: done"])
    }

    @Test("R3: the same request again gets the same bytes and moves no money")
    func replaysTheStoredAnswerAndMovesNoMoney() async throws {
        let gateway = ScriptedGateway(onCharge: Self.authorized)
        let relay = try await relay(gateway)
        for (request, again) in [
            (OperationRequest.sample(.capture, amount: 4_000), OperationRequest.sample(.capture, amount: 4_000)),
            (.sample(.capture, amount: 4_000, key: "k"), .sample(.capture, amount: 4_000, key: "k")),
            (.sample(.capture, reference: "r"), .sample(.capture, reference: "r")),
            (.sample(.refund, amount: 1, reference: "s"), .sample(.refund, amount: 1, reference: "s")),
        ] {
            let first = try await relay.perform(request)
            let second = try await relay.perform(again)
            #expect(!first.isReplay && second.isReplay)
            #expect(first.operation == second.operation)
        }
        #expect(await gateway.operations == ["CAPTURE 4000", "CAPTURE 4000", "CAPTURE 2000", "REFUND 1"])
    }

    @Test("R2: an idempotency key belongs to one operation") func refusesAnotherOperationUnderAKnownKey() async throws {
        let relay = try await relay(ScriptedGateway(onCharge: Self.authorized))
        _ = try await relay.perform(.sample(.capture, amount: 4_000, key: "k"))
        await #expect(throws: OperationRefusal.idempotencyKeyTaken) {
            try await relay.perform(.sample(.capture, amount: 4_001, key: "k"))
        }
        await #expect(throws: OperationRefusal.idempotencyKeyTaken) {
            try await relay.perform(.sample(.refund, amount: 4_000, key: "k"))
        }
    }

    @Test func retriesADeclineUnlessTheClientGaveAKey() async throws {
        let gateway = ScriptedGateway(
            onCharge: Self.authorized, onOperation: { _ in .answered(GatewayAnswer(.declined)) })
        let relay = try await relay(gateway)
        for _ in 0..<2 {
            let result = try await relay.perform(.sample(.capture, amount: 1))
            #expect(result.operation.state == .declined && !result.isReplay)
        }
        #expect(try await !relay.perform(.sample(.capture, amount: 1, key: "k")).isReplay)
        #expect(try await relay.perform(.sample(.capture, amount: 1, key: "k")).isReplay)
        #expect(await journal.payment("A")?.state == .authorized)
    }

    @Test("an external operation is found if the gateway refuses an operation because of it")
    func findsWhatWasDoneElsewhereBehindARefusal() async throws {
        let captured = Balance(captured: 4_000)
        for (refusal, found, state, ended) in [
            (
                GatewayAnswer(.declined, captured: 4_000), GatewayAnswer(.captured, totals: captured),
                .partiallyCaptured, .declined
            ),
            // The hold was released, which is what was requested.
            (GatewayAnswer(.declined, authorized: .zero), GatewayAnswer(.voided, totals: Balance()), .voided, .done),
            (
                GatewayAnswer(.declined, authorized: 10_000), GatewayAnswer(.voided, totals: Balance()), .authorized,
                .declined
            ),
        ] as [(GatewayAnswer, GatewayAnswer, PaymentState, PaymentOperation.State)] {
            let journal = MemoryJournal()
            let gateway = ScriptedGateway(
                onCharge: Self.authorized, onQuery: { _ in .answered(found) }, onOperation: { _ in .answered(refusal) })
            let relay = relay(gateway, over: journal)
            _ = try await relay.pay(.sample("A"))
            let operation = try await relay.perform(.sample(.voidAuthorization)).operation
            #expect(operation.state == ended, "\(refusal.words)")
            #expect(await journal.payment("A")?.state == state, "\(refusal.words)")
            #expect(await gateway.queries.isEmpty == (state == .authorized))
        }
    }

    @Test(
        "R10: a refund or capture that the gateway carried out and refuses as not allowed is done, and not sent again",
        arguments: [(OperationCommand.refund, MinorUnits(3_330)), (.capture, 3_330)])
    func isDoneDespiteARefusal(command: OperationCommand, amount: MinorUnits?) async throws {
        let amount = try #require(amount)
        let totals =
            command == .refund ? Balance(captured: 10_000, refunded: amount) : Balance(captured: amount)
        let refusal = GatewayAnswer(meaning: .declined, isNotAllowed: true, summary: [:], response: [:])
        let gateway = ScriptedGateway(
            onCharge: { _ in .answered(GatewayAnswer(command == .refund ? .captured : .authorized, authorized: 10_000))
            },
            onQuery: { _ in .answered(GatewayAnswer(command == .refund ? .refunded : .captured, totals: totals)) },
            onOperation: { _ in .answered(refusal) })
        let relay = relay(gateway, over: MemoryJournal())
        _ = try await relay.pay(.sample("A"))
        for isReplay in [false, true] {
            let result = try await relay.perform(.sample(command, amount: amount))
            #expect(result.operation.state == .done && result.isReplay == isReplay)
        }
        #expect(await gateway.operations.count == 1)
    }

    @Test("R4: an operation that was not sent can be tried again") func retriesWhatWasNotSent() async throws {
        let gateway = ScriptedGateway(
            onCharge: Self.authorized, onOperation: { _ in .notSent(reason: "refused") })
        let relay = try await relay(gateway)
        for _ in 0..<2 {
            await #expect(throws: OperationRefusal.notSent(reason: "refused")) {
                try await relay.perform(.sample(.capture, key: "k"))
            }
        }
        #expect(await gateway.operations.count == 2)
        #expect(await journal.payment("A")?.isOpen == false)
    }

    /// The capture ends only after the other 199 requests were refused, so all of them were under way at once.
    @Test("R1: identical concurrent captures are sent once")
    func sendsIdenticalRequestsOnce() async throws {
        let (others, refused) = AsyncStream.makeStream(of: Void.self)
        let gateway = ScriptedGateway(
            onCharge: Self.authorized,
            onOperation: {
                for await _ in others.prefix(199) {}
                return .answered(GatewayAnswer($0.command.success))
            })
        let relay = try await relay(gateway)
        await withTaskGroup { group in
            for _ in 0..<200 {
                group.addTask {
                    do {
                        _ = try await relay.perform(.sample(.capture, amount: 10))
                    } catch {
                        refused.yield()
                    }
                }
            }
        }
        #expect(await gateway.operations == ["CAPTURE 10"])
    }

    @Test("R14: many captures at once never capture more than was authorized") func neverCapturesMoreThanWasAuthorized()
        async throws
    {
        let gateway = ScriptedGateway(onCharge: Self.authorized)
        let relay = try await relay(gateway)
        await withTaskGroup { group in
            for number in 0..<50 {
                group.addTask { _ = try? await relay.perform(.sample(.capture, amount: 3_000, key: "\(number)")) }
            }
        }
        let payment = try #require(await journal.payment("A"))
        #expect(payment.balance.captured <= 10_000)
        #expect(payment.balance.captured.value == 3_000 * (await gateway.operations.count))
    }

    @Test("R10: the reconciler settles a lost answer, and the same request then gets it")
    func settlesALostAnswerAndReplaysIt() async throws {
        let captured = Balance(captured: 4_000)
        let gateway = ScriptedGateway(
            onCharge: Self.authorized, onQuery: { _ in .answered(GatewayAnswer(.captured, totals: captured)) },
            onOperation: { _ in .unknown(reason: "timeout") })
        let relay = try await relay(gateway)
        let lost = try await relay.perform(.sample(.capture, amount: 4_000))
        #expect(lost.operation.state == .uncertain)
        #expect(lost.operation.receipt != nil)
        await Reconciler(relay: relay, logger: .silent).workOff()
        let again = try await relay.perform(.sample(.capture, amount: 4_000))
        #expect(again.isReplay && again.operation.state == .done)
        #expect(await journal.payment("A")?.balance == captured)
        #expect(await gateway.operations.count == 1)
    }

    @Test("S12: an operation that cannot be journaled is not sent") func sendsNothingThatCannotBeRecorded() async throws
    {
        let gateway = ScriptedGateway(onCharge: Self.authorized)
        _ = try await relay(gateway)
        let broken = relay(gateway, over: BrokenJournal(inner: journal, breaksLaterChanges: true))
        await #expect(
            throws: OperationRefusal.journalUnavailable(reason: "the operation could not be recorded")
        ) { try await broken.perform(.sample(.capture)) }
        #expect(await gateway.operations == [])
    }

    @Test func refusesWithoutAskingTheGateway() async throws {
        let gateway = ScriptedGateway(onCharge: Self.authorized)
        let relay = try await relay(gateway)
        let refusals: [(OperationRequest, OperationRefusal)] = [
            (.sample(.capture, amount: 10_001), .notAllowed(reason: "only 100.00 AED is left to capture")),
            (.sample(.refund), .notAllowed(reason: "there is nothing left to refund")),
            (.sample(.capture, currency: "USD"), .otherCurrency("AED")),
            (.sample(.capture, of: "B"), .noSuchPayment),
            (
                .sample(.capture, fields: ["x": ""]),
                .invalid(ValidationErrors([ValidationError(field: "x", detail: "is not known here")]))
            ),
        ]
        for (request, refusal) in refusals {
            await #expect(throws: refusal) { try await relay.perform(request) }
        }
        #expect(await gateway.operations == [])
        #expect(await journal.payment("A")?.operations == [])
    }

    private static let authorized: @Sendable (Order) async -> Outcome<GatewayAnswer> = { _ in
        .answered(GatewayAnswer(.authorized))
    }

    /// Returns a relay with an authorized payment `A` of 10000.
    private func relay(_ gateway: ScriptedGateway) async throws -> PaymentRelay {
        let relay = relay(gateway, over: journal)
        _ = try await relay.pay(.sample("A"))
        return relay
    }

    private func relay(_ gateway: ScriptedGateway, over journal: any Journal) -> PaymentRelay {
        // The clock stands still: on a machine that takes half a minute for a step, a lease would expire otherwise.
        let moment = Date()
        return PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal, gateways: .only(gateway),
            logger: .silent, now: { moment })
    }
}

extension Logger {
    static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}

extension OperationRequest {
    static func sample(
        _ command: OperationCommand, of merchantReference: String = "A", amount: MinorUnits? = nil,
        currency: String? = nil,
        reference: String? = nil, key: String? = nil, fields: [String: String] = [:]
    ) -> OperationRequest {
        OperationRequest(
            merchantReference: merchantReference, command: command, amount: amount, currency: currency,
            maintenanceReference: reference, idempotencyKey: key, fields: fields, identifier: "r")
    }
}
