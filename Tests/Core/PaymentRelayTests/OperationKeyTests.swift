import Foundation
import JournalContract
import PayrelayPrimitives
import Testing

@testable import PaymentRelay

/// The rule of idempotency keys (`KeyUse`), for every second use of a key.
@Suite struct OperationKeyTests {
    private let journal = MemoryJournal()
    private let gateway = ScriptedGateway(onCharge: { _ in .answered(GatewayAnswer(.captured)) })

    private var relay: PaymentRelay { relay(over: journal) }

    private func relay(over journal: any Journal, _ gateway: ScriptedGateway? = nil) -> PaymentRelay {
        let moment = Date()
        return PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal,
            gateways: .only(gateway ?? self.gateway), logger: .silent, now: { moment })
    }

    /// Two payments of 10000, captured: `A`, charged with the key `charge`, and `B`, charged without one.
    private func charged() async throws -> PaymentRelay {
        let relay = relay
        _ = try await relay.pay(.sample("A", key: "charge"))
        _ = try await relay.pay(.sample("B", token: 2))
        return relay
    }

    @Test("R1: a key that refunded one payment refunds no other, and nothing else of the same payment")
    func keepsAKeyToOneOperation() async throws {
        let relay = try await charged()
        #expect(try await relay.perform(.sample(.refund, amount: 1_000, key: "k")).operation.state == .done)
        for other in [
            OperationRequest.sample(.refund, of: "B", amount: 1_000, key: "k"), .sample(.refund, of: "B", key: "k"),
            .sample(.refund, amount: 1_001, key: "k"), .sample(.capture, amount: 1_000, key: "k"),
            .sample(.voidAuthorization, key: "k"), .sample(.refund, amount: 1_000, reference: "m", key: "k"),
            .sample(.refund, of: "B", amount: 1_000, reference: "m", key: "k"),
        ] {
            await #expect(throws: OperationRefusal.idempotencyKeyTaken) { try await relay.perform(other) }
        }
        #expect(try await relay.perform(.sample(.refund, amount: 1_000, key: "k")).isReplay)
        #expect(await gateway.operations == ["REFUND 1000"])
    }

    @Test("R1: a key that was used with a maintenance_reference is not used without it")
    func keepsAKeyToOneReference() async throws {
        let relay = try await charged()
        let first = OperationRequest.sample(.refund, amount: 1_000, reference: "m", key: "k")
        #expect(try await !relay.perform(first).isReplay)
        #expect(try await relay.perform(first).isReplay)
        for reference in [nil, "n"] {
            await #expect(throws: OperationRefusal.idempotencyKeyTaken) {
                try await relay.perform(.sample(.refund, amount: 1_000, reference: reference, key: "k"))
            }
        }
        // The reference names an operation of the payment, with or without a key.
        #expect(try await relay.perform(.sample(.refund, amount: 1_000, reference: "m")).isReplay)
        #expect(try await relay.perform(.sample(.refund, amount: 1_000, reference: "m", key: "l")).isReplay)
        await #expect(throws: OperationRefusal.idempotencyKeyTaken) {
            try await relay.perform(.sample(.refund, amount: 999, reference: "m"))
        }
        // Another payment's operations have their own references.
        #expect(try await !relay.perform(.sample(.refund, of: "B", amount: 1_000, reference: "m", key: "l")).isReplay)
        #expect(await gateway.operations == ["REFUND 1000", "REFUND 1000"])
    }

    @Test("R1: a key that charged an order refunds nothing, and a key that refunded charges no order")
    func keepsChargesAndOperationsApart() async throws {
        let relay = try await charged()
        for reference in ["A", "B"] {
            await #expect(throws: OperationRefusal.idempotencyKeyTaken) {
                try await relay.perform(.sample(.refund, of: reference, amount: 1, key: "charge"))
            }
        }
        _ = try await relay.perform(.sample(.refund, amount: 1, key: "k"))
        // Neither a new order nor an order that was charged can be paid under this key.
        for (reference, token) in [("C", 3), ("A", 1), ("B", 2)] {
            await #expect(throws: PaymentRefusal.idempotencyKeyTaken) {
                try await relay.pay(.sample(reference, token: token, key: "k"))
            }
        }
        #expect(await journal.payment("C") == nil)
        #expect(try await relay.pay(.sample("A", key: "charge")).isReplay)
        #expect(await gateway.operations == ["REFUND 1"])
    }

    @Test("S7: each client has its own keys, and so has each operator")
    func keepsKeysOfOwnersApart() async throws {
        let relay = relay
        for (number, client) in ["bank", "shop"].enumerated() {
            let request = SampleRequest.self
            _ = try await relay.pay(request.sample(client, token: number, key: "charge", client: client))
            let refund = OperationRequest(
                merchantReference: client, command: .refund, amount: 1, idempotencyKey: "k",
                visible: VisiblePayments(of: client), identifier: "r")
            #expect(try await !relay.perform(refund).isReplay)
        }
        for (name, version) in [("k", 4), ("sara", 6)] {
            let refund = OperationRequest(
                merchantReference: "shop", command: .refund, amount: 1, idempotencyKey: "k",
                by: OperatorRequest(operatorName: name, identifier: "1", permitted: [.refund]), basis: version)
            #expect(try await !relay.perform(refund).isReplay)
        }
        #expect(
            await journal.payment("shop")?.operations.map(\.idempotencyKey) == [
                "shop k", "operator k k", "operator sara k",
            ])
    }

    @Test("R4: a key of an operation that was not sent is free for any request")
    func freesTheKeyOfWhatWasNotSent() async throws {
        let unreachable = ScriptedGateway(
            onCharge: { _ in .answered(GatewayAnswer(.captured)) }, onOperation: { _ in .notSent(reason: "down") })
        let relay = try await charged()
        await #expect(throws: OperationRefusal.notSent(reason: "down")) {
            try await self.relay(over: journal, unreachable).perform(.sample(.refund, amount: 1, key: "k"))
        }
        #expect(await journal.use(ofKey: "k") == nil)
        #expect(try await !relay.perform(.sample(.refund, of: "B", amount: 2, key: "k")).isReplay)
        await #expect(throws: OperationRefusal.idempotencyKeyTaken) {
            try await relay.perform(.sample(.refund, amount: 1, key: "k"))
        }
    }

    @Test("R1: one key on fifty payments at once refunds one of them")
    func refundsOneOfManyPayments() async throws {
        let relay = relay
        for number in 0..<50 { _ = try await relay.pay(.sample("\(number)", token: number)) }
        let refused = await withTaskGroup(of: OperationRefusal?.self) { group in
            for number in 0..<50 {
                group.addTask {
                    do throws(OperationRefusal) {
                        _ = try await relay.perform(.sample(.refund, of: "\(number)", amount: 1, key: "k"))
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(refused.filter { $0 == nil }.count == 1)
        #expect(refused.filter { $0 == .idempotencyKeyTaken }.count == 49)
        #expect(await gateway.operations == ["REFUND 1"])
    }

    /// The journal first reports that the key is free, although it is taken by the time of the commit.
    @Test("R1: a key that another payment takes between look and begin begins nothing")
    func losesTheRaceForAKey() async throws {
        let relay = try await charged()
        let late = self.relay(over: StaleKeys(inner: journal, stale: 1))
        _ = try await relay.perform(.sample(.refund, of: "B", amount: 1, key: "k"))
        await #expect(throws: OperationRefusal.idempotencyKeyTaken) {
            try await late.perform(.sample(.refund, amount: 1, key: "k"))
        }
        #expect(await journal.payment("A")?.operations == [])
        #expect(await gateway.operations == ["REFUND 1"])
    }

    @Test("a refund of everything without a key is a new refund once more was captured")
    func refundsWhatWasCapturedSince() async throws {
        let gateway = ScriptedGateway(
            onCharge: { _ in .answered(GatewayAnswer(.authorized)) },
            onQuery: { _ in .answered(GatewayAnswer(.captured, totals: Balance(captured: 9_000, refunded: 4_000))) })
        for amount in [nil, 4_000] as [MinorUnits?] {
            let journal = MemoryJournal()
            let relay = relay(over: journal, gateway)
            _ = try await relay.pay(.sample("A"))
            _ = try await relay.perform(.sample(.capture, amount: 4_000))
            let first = try await relay.perform(.sample(.refund, amount: amount))
            #expect(first.operation.outcome(on: try #require(await journal.payment("A"))) == "refunded")
            #expect(try await relay.perform(.sample(.refund, amount: amount)).isReplay)
            #expect(try await relay.sync("A")?.balance == Balance(captured: 9_000, refunded: 4_000))
            let second = try await relay.perform(.sample(.refund, amount: amount))
            #expect(!second.isReplay && second.operation.amount == amount ?? 5_000)
        }
        // A refund of a given amount keeps its meaning, although more can be refunded than before: the same request is a
        // replay.
        let journal = MemoryJournal()
        let relay = relay(over: journal, gateway)
        _ = try await relay.pay(.sample("A"))
        _ = try await relay.perform(.sample(.capture, amount: 4_000))
        #expect(try await !relay.perform(.sample(.refund, amount: 1_000)).isReplay)
        _ = try await relay.sync("A")
        #expect(try await relay.perform(.sample(.refund, amount: 1_000)).isReplay)
    }
}

/// A journal whose first answers about keys are outdated: they say that the key is free.
private struct StaleKeys: ForwardingJournal {
    let inner: MemoryJournal
    let stale: Int
    private let answers = Counter()

    init(inner: MemoryJournal, stale: Int) {
        self.inner = inner
        self.stale = stale
    }

    var target: any Journal { inner }

    func use(ofKey key: String) async throws(JournalError) -> KeyUse? {
        await answers.next() <= stale ? nil : await inner.use(ofKey: key)
    }
}

private actor Counter {
    private var count = 0

    func next() -> Int {
        count += 1
        return count
    }
}
