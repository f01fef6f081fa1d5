import PayrelayAPI
import PayrelayPrimitives
import Testing

@testable import PayrelayClient

/// `FakeRelay` keeps the promises on which an app builds, and answers by its script.
@Suite(.timeLimit(.minutes(25))) struct FakeRelayTests {
    private let token = Documents.token

    private func order(_ reference: String, amount: MinorUnits = 10_000, _ command: PaymentCommand = .purchase) -> Order
    {
        Order(reference, amount: amount, currency: .AED, command: command, customerEmail: "sara@example.com")
    }

    private func outcome(_ relay: FakeRelay, _ order: Order) async -> PaymentOutcome? {
        try? await relay.pay(order, with: token).receipt?.outcome
    }

    @Test("Without a script each payment succeeds, as its command says")
    func withoutAScript() async throws {
        let relay = FakeRelay()
        #expect(await outcome(relay, order("A")) == .captured)
        #expect(await outcome(relay, order("B", .authorization)) == .authorized)
        #expect(relay.chargedOrders == [order("A"), order("B", .authorization)])
        #expect(try await relay.outcome(of: "A").isSuccess)
        await #expect(throws: RelayError.noSuchPayment) { try await relay.outcome(of: "C") }
    }

    @Test("Each new reference takes a step, and a reference is charged once")
    func theScript() async throws {
        let relay = FakeRelay([.answers(.declined), .answers(.captured), .refuses(.tokenUsed)])
        #expect(await outcome(relay, order("A")) == .declined)
        #expect(await outcome(relay, order("B")) == .captured)
        for _ in 0..<3 { #expect(await outcome(relay, order("B")) == .captured) }
        #expect(relay.chargedOrders == [order("B")])
        await #expect(throws: RelayError.tokenUsed) { try await relay.pay(order("C"), with: token) }
        await #expect(throws: RelayError.noSuchPayment) { try await relay.outcome(of: "C") }
        // The refused request left no payment C, so C may be paid.
        #expect(await outcome(relay, order("C")) == .captured)
    }

    @Test("A taken reference gives the same error as a relay's")
    func takenReferences() async throws {
        let relay = FakeRelay([.answers(.declined), .answers(.captured)])
        let other = AppleToken(json: ["paymentData": "another"])
        _ = await outcome(relay, order("A"))
        _ = await outcome(relay, order("B"))
        // The same request gets the same answer. A request with another token is another attempt to pay a declined order.
        #expect(await outcome(relay, order("A")) == .declined)
        for (reference, amount, token, isCharged) in [
            ("A", 10_000, other, false), ("A", 1, token, false), ("B", 1, token, true),
        ] as [(String, MinorUnits, AppleToken, Bool)] {
            let error = await #expect(throws: RelayError.self) {
                try await relay.pay(order(reference, amount: amount), with: token)
            }
            guard case .referenceTaken(.some) = error else { return #expect(Bool(false), "\(reference)") }
            #expect(error?.mayHaveBeenCharged == isCharged)
        }
        #expect(try await relay.pay(order("B"), with: other).isSuccess)
        #expect(relay.chargedOrders.count == 1)
    }

    @Test("A lost answer may have been charged, and a look-up shows the outcome; an uncertain payment ends as scripted")
    func lostAndUncertain() async throws {
        let relay = FakeRelay([
            .losesAnswer(of: .captured), .answers(.uncertain, then: .declined), .answers(.uncertain),
        ])
        let error = await #expect(throws: RelayError.self) { try await relay.pay(order("A"), with: token) }
        #expect(error == .noAnswer && error?.mayHaveBeenCharged == true)
        #expect(try await relay.outcome(of: "A").isSuccess)
        #expect(await outcome(relay, order("A")) == .captured)
        #expect(relay.chargedOrders.count == 1)

        #expect(await outcome(relay, order("B")) == .uncertain)
        #expect(try await relay.outcome(of: "B").receipt?.outcome == .declined)
        #expect(await outcome(relay, order("C")) == .uncertain)
        #expect(try await relay.outcome(of: "C").receipt?.outcome == .uncertain)
        #expect(relay.chargedOrders.count == 1)
    }

    @Test("An answer takes the scripted time, and an answer after the time limit is lost")
    func delays() async throws {
        let clock = SimulatedClock()
        let relay = FakeRelay([.answers(.captured, after: 3), .answers(.captured, after: 30)], clock: clock)
        let began = clock.now
        #expect(await outcome(relay, order("A")) == .captured)
        #expect(clock.now - began == 3)
        let late = Task { try await relay.pay(order("B"), with: token) }
        await clock.untilLimited()
        clock.advance(by: 25)
        await #expect(throws: RelayError.noAnswer) { try await late.value }
        #expect(try await relay.outcome(of: "B").isSuccess)
    }

    @Test("A cancelled payment may have been charged")
    func cancelled() async throws {
        let relay = FakeRelay([.answers(.captured, after: 3_000)])
        let (order, token) = (order("A"), token)
        let paying = Task { try await relay.pay(order, with: token, within: .seconds(3_600)) }
        paying.cancel()
        let error = await #expect(throws: RelayError.self) { try await paying.value }
        #expect(error == .cancelled(mayHaveBeenSent: true))
    }
}
