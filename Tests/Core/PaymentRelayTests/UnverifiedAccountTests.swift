import JournalContract
import PayrelayPrimitives
import Testing

@testable import PaymentRelay

/// Nothing is sent for an account until one of the account's answers has been verified since the start.
@Suite struct UnverifiedAccountTests {
    let journal = MemoryJournal()

    private func relay(_ gateway: ScriptedGateway) -> PaymentRelay {
        PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal,
            gateways: .only(gateway), logger: .silent)
    }

    private static let wrongPhrase = UnverifiedAccount(isAnswering: true, reason: "the response phrase is wrong")
    private static let away = UnverifiedAccount(isAnswering: false, reason: "it cannot be reached")

    @Test(
        "S6: a payment to an account that was never verified is refused before anything is claimed or sent",
        arguments: [
            (wrongPhrase, PaymentRefusal.accountUnverified(reason: wrongPhrase.reason)),
            (away, .notSent(reason: away.reason)),
        ])
    func claimsAndSendsNothing(unverified: UnverifiedAccount, refusal: PaymentRefusal) async throws {
        let gateway = ScriptedGateway(unverified: unverified)
        let relay = relay(gateway)
        await #expect(throws: refusal) { try await relay.pay(.sample("A", key: "k")) }
        let card = PaymentRequest(
            try relay.gateways.prepareRecurring(["merchant_reference": "B", "account": "main"]),
            fingerprint: RequestFingerprint(bytes: [1]), identifier: "r")
        await #expect(throws: refusal) { try await relay.pay(card) }
        #expect(await journal.payment("A") == nil)
        #expect(await journal.payment("B") == nil)
        #expect(await gateway.charges.isEmpty)
        // Token and key are free: the same request is paid once the account is verified.
        #expect(try await self.relay(ScriptedGateway()).pay(.sample("A", key: "k")).payment.state == .captured)
    }

    @Test("R3: a payment that was made is answered as before, although its account is not verified since the start")
    func replays() async throws {
        let first = try await relay(ScriptedGateway()).pay(.sample("A"))
        let again = try await relay(ScriptedGateway(unverified: Self.wrongPhrase)).pay(.sample("A"))
        #expect(again.isReplay && again.payment.receipt == first.payment.receipt)
    }

    @Test("S6: no operation is recorded or sent at an account that was never verified; one that was done is replayed")
    func operations() async throws {
        _ = try await relay(ScriptedGateway()).pay(.sample("A"))
        func refund(_ amount: MinorUnits) -> OperationRequest {
            OperationRequest(
                merchantReference: "A", command: .refund, amount: amount, idempotencyKey: "k\(amount)", identifier: "r")
        }
        let done = try await relay(ScriptedGateway()).perform(refund(100))
        let before = await journal.payment("A")
        let gateway = ScriptedGateway(unverified: Self.wrongPhrase)
        await #expect(throws: OperationRefusal.accountUnverified(reason: Self.wrongPhrase.reason)) {
            try await relay(gateway).perform(refund(200))
        }
        await #expect(throws: OperationRefusal.notSent(reason: Self.away.reason)) {
            try await relay(ScriptedGateway(unverified: Self.away)).perform(refund(200))
        }
        #expect(await gateway.operations.isEmpty)
        #expect(await journal.payment("A") == before)
        #expect(try await relay(gateway).perform(refund(100)).operation == done.operation)
    }
}
