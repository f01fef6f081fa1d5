import Foundation
import JournalContract
import Logging
import PayrelayPrimitives
import Synchronization
import TestPrograms
import Testing
import UnderWay

@testable import PaymentRelay

@Suite struct ReconcilerTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test("R10: open payments are queried until they are settled") func queriesOpenPaymentsUntilTheyAreSettled()
        async throws
    {
        let asked = Mutex(0)
        let gateway = ScriptedGateway(
            onCharge: { _ in .unknown(reason: "timeout") },
            onQuery: { _ in
                let count = asked.withLock {
                    $0 += 1; return $0
                }
                return count < 3
                    ? .answered(GatewayAnswer(.pending(reason: "on hold"))) : .answered(.paid())
            })
        let journal = MemoryJournal()
        let moment = Mutex(Date())
        let relay = relay(gateway, journal) { moment.withLock { $0 } }
        _ = try await relay.pay(.sample("A"))

        let reconciler = Reconciler(relay: relay, logger: logger)
        for _ in 0..<5 {
            await reconciler.workOff()
            moment.withLock { $0 += 10 }
        }
        #expect(await journal.payment("A")?.state == .captured)
        #expect(await gateway.queries.count == 3)
        #expect(await gateway.charges.count == 1)
    }

    @Test(
        "R10: two answers in a row have to miss a charge, because one may be of a time before it arrived",
        arguments: [
            (GatewayAnswer(.notFound), .answered(GatewayAnswer(.notFound)), .notProcessed),
            (GatewayAnswer(.notFound), .answered(.paid()), .captured),
            (GatewayAnswer(.notFound), .unknown(reason: "timeout"), .uncertain),
            // The first answer is about an earlier attempt with the reference.
            (
                GatewayAnswer(.declined, reference: "1"), .answered(.paid(reference: "2")),
                .captured
            ),
        ] as [(GatewayAnswer, Outcome<GatewayAnswer>, PaymentState)])
    func asksAgainWhereTheChargeIsMissing(
        first: GatewayAnswer, second: Outcome<GatewayAnswer>, state: PaymentState
    ) async throws {
        let asked = Mutex(0)
        let gateway = ScriptedGateway(
            onCharge: { _ in .unknown(reason: "timeout") },
            onQuery: { _ in
                asked.withLock { count in
                    count += 1
                    return count == 3 ? second : .answered(first)
                }
            })
        let journal = MemoryJournal()
        let moment = Mutex(Date())
        let relay = relay(gateway, journal) { moment.withLock { $0 } }
        _ = try await relay.pay(.sample("A"))
        #expect(try await relay.sync("A")?.state == .uncertain)
        #expect(asked.withLock { $0 } == 1, "while the request may still arrive, one answer decides nothing")
        moment.withLock { $0 += 61 }
        #expect(try await relay.sync("A")?.state == state)
        #expect(asked.withLock { $0 } == 3)
    }

    @Test("R10: nothing is queried about an interrupted charge until the journal has that it was interrupted")
    func queriesOnlyOnAStateThatTheJournalHas() async throws {
        let gateway = ScriptedGateway(
            onCharge: { _ in .unknown(reason: "timeout") }, onQuery: { _ in .answered(.paid()) })
        let journal = MemoryJournal()
        // The process ended while the charge was being sent, and the lease has expired.
        let claimed = Payment(
            merchantReference: "A", command: .purchase, amount: 10_000, currency: "AED", fingerprint: nil,
            appleTransactionIdentifier: "ab1", claimedAt: Date(), gateway: gateway.name,
            lease: Lease(number: 0, expiresAt: Date()))
        #expect(await journal.commit(Change(claiming: claimed)) == .written)
        let moment = Date() + 1_000
        let broken = relay(gateway, BrokenJournal(inner: journal, breaksOutcomes: true)) { moment }
        await #expect(throws: JournalError.self) { try await broken.sync("A") }
        #expect(await gateway.queries.isEmpty)
        #expect(await journal.payment("A")?.state == .processing)

        #expect(try await relay(gateway, journal) { moment }.sync("A")?.state == .captured)
        #expect(await journal.history(of: "A").map(\.state) == [.processing, .uncertain, .captured])
    }

    @Test("R10: two answers in a row have to miss a refund, because one may be of a time before it was made")
    func asksAgainWhereTheRefundIsMissing() async throws {
        let asked = Mutex(0)
        let gateway = ScriptedGateway(
            onCharge: { _ in .answered(GatewayAnswer(.captured)) },
            onQuery: { _ in
                let count = asked.withLock { count in
                    count += 1
                    return count
                }
                return .answered(
                    GatewayAnswer(.captured, totals: Balance(captured: 10_000, refunded: count == 1 ? 0 : 4_000)))
            },
            onOperation: { _ in .unknown(reason: "timeout") })
        let journal = MemoryJournal()
        let moment = Mutex(Date())
        let relay = relay(gateway, journal) { moment.withLock { $0 } }
        _ = try await relay.pay(.sample("A"))
        _ = try await relay.perform(.sample(.refund, amount: 4_000))
        moment.withLock { $0 += 3_601 }
        #expect(try await relay.sync("A")?.balance.refunded == 4_000)
        #expect(await journal.payment("A")?.operations.map(\.state) == [.done])
        #expect(asked.withLock { $0 } == 2)
    }

    /// Promise R15.
    @Test("R15: a payment that the gateway does not answer about delays no other", .timeLimit(.minutes(25)))
    func delaysNoOtherPaymentWhenTheGatewayHangs() async throws {
        let (answers, answer) = AsyncStream<Void>.makeStream()
        let gateway = ScriptedGateway(
            onCharge: { _ in .unknown(reason: "timeout") },
            onQuery: { payment in
                if payment.merchantReference == "0" { for await _ in answers {} }
                return .answered(.paid())
            })
        let journal = MemoryJournal()
        let moment = Date()
        let relay = relay(gateway, journal) { moment }
        for number in 0..<80 { _ = try await relay.pay(.sample("\(number)", token: number + 1)) }
        let working = Task { await Reconciler(relay: relay, logger: logger).workOff() }
        while await journal.openPayments(limit: 2).count > 1 { await Task.yield() }
        #expect(await journal.payment("0")?.state == .uncertain)
        answer.finish()
        await working.value
        #expect(await journal.openPayments(limit: 1).isEmpty)
    }

    @Test("R15: a gateway that answers no query delays no query to another gateway", .timeLimit(.minutes(25)))
    func delaysNoOtherGateway() async throws {
        let mayAnswer = Gate()
        let (slow, quick) = (
            ScriptedGateway(
                name: "slow", account: "slow",
                onQuery: { payment in
                    await mayAnswer.wait()
                    return .answered(.paid(payment.amount))
                },
                onUnknown: { _, _ in
                    await mayAnswer.wait()
                    return .unknown(reason: "timeout")
                }), ScriptedGateway(name: "quick", account: "quick")
        )
        let journal = MemoryJournal()
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60), requestsAtOnce: ["slow": 8, "quick": 8]),
            journal: journal, gateways: try Gateways([slow, quick], vocabulary: .sample), logger: logger)
        for number in 0..<9 {
            let gateway = number < 8 ? "slow" : "quick"
            _ = await journal.claim(
                .sample("\(number)", token: number, at: Date() - 60, gateway: gateway, account: gateway))
            let hint = GatewayHint(
                account: gateway, merchantReference: "elsewhere \(number)", subject: .charge(.purchase),
                statement: .captured, amount: 100, currency: "AED", gatewayReference: nil)
            #expect(try await relay.record(hint, kind: .direct))
        }
        // As many clients as may wait are waiting for the slow gateway.
        relay.syncs["slow"]?.change(limit: 0)
        let waiting = Task { try await relay.sync("7") }
        let working = Task {
            async let reconciled: Void = Reconciler(relay: relay, logger: logger).workOff()
            await Investigator(relay: relay, logger: logger).workOff()
            await reconciled
        }
        while await Set(quick.queries) != ["8", "quick elsewhere 8"] { await Task.yield() }
        #expect(try await relay.sync("8")?.state == .captured)
        #expect(await slow.queries.count <= 3, "a quarter and an eighth of its places")
        mayAnswer.open()
        relay.syncs["slow"]?.change(limit: 1)
        await working.value
        #expect(try await waiting.value?.state == .captured)
        #expect(await journal.openPayments(limit: 1).isEmpty)
    }

    @Test("R15: queries use a quarter of the instance's share of a gateway's slots")
    func queriesNoMoreAtOnceThanItHasWorkers() async throws {
        let underWay = Mutex((now: 0, most: 0))
        let gateway = ScriptedGateway(
            onCharge: { _ in .unknown(reason: "timeout") },
            onQuery: { _ in
                underWay.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                for _ in 0..<10 { await Task.yield() }
                underWay.withLock { $0.now -= 1 }
                return .answered(.paid())
            })
        let journal = MemoryJournal()
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60), requestsAtOnce: ["fort": 24, "smaller": 8]),
            journal: journal,
            gateways: .only(gateway), logger: logger)
        relay.divideLimits(among: 2)
        for number in 0..<20 { _ = try await relay.pay(.sample("\(number)", token: number + 1)) }
        await Reconciler(relay: relay, logger: logger).workOff()
        #expect(underWay.withLock { $0.most } == 3)
        #expect(await journal.openPayments(limit: 1).isEmpty)
    }

    @Test func doublesPausesUpToAMinute() {
        let pauses = (1...9).map { ExponentialBackoff(longest: Reconciler.longestPause).pause(afterAttempt: $0) }
        for (pause, longest) in zip(pauses, [1, 2, 4, 8, 16, 32, 60, 60, 60]) {
            #expect(pause <= .seconds(longest) && pause >= .seconds(longest) * 0.75)
        }
    }

    @Test func keepsAPauseOnEveryInstance() async throws {
        let gateway = ScriptedGateway(
            onCharge: { _ in .unknown(reason: "timeout") }, onQuery: { _ in .unknown(reason: "timeout") })
        let journal = MemoryJournal()
        let moment = Date()
        let relays = (0..<2).map { _ in relay(gateway, journal) { moment } }
        _ = try await relays[0].pay(.sample("A"))
        for relay in relays { await Reconciler(relay: relay, logger: logger).workOff() }
        #expect(await gateway.queries.count == 1)
    }

    @Test("R7: a charge of another instance is left alone until its lease expires")
    func leavesAChargeOfAnotherInstanceUntilItsLeaseExpires() async throws {
        let (charged, finish) = AsyncStream<Void>.makeStream()
        let gateway = ScriptedGateway(onCharge: { _ in
            for await _ in charged {}
            return .answered(.paid())
        })
        let journal = MemoryJournal()
        let moment = Mutex(Date())
        let slow = relay(gateway, journal) { moment.withLock { $0 } }
        let other = relay(gateway, journal) { moment.withLock { $0 } }
        let request = try SampleRequest.sample("A")
        async let paid = slow.pay(request)
        while await gateway.charges.isEmpty { await Task.yield() }

        await Reconciler(relay: other, logger: logger).workOff()
        #expect(try await other.sync("A")?.state == .processing)
        #expect(await gateway.queries.isEmpty)

        moment.withLock { $0 += 61 }
        await Reconciler(relay: other, logger: logger).workOff()
        #expect(await gateway.queries == ["A"])
        finish.finish()
        #expect(try await paid.payment.state == .captured)
        #expect(await journal.history(of: "A").map(\.state) == [.processing, .uncertain, .captured])
    }

    @Test("R7: a claim that took longer than its lease sends nothing") func sendsNothingAfterTheClaimsLease()
        async throws
    {
        let gateway = ScriptedGateway()
        let moment = Mutex(Date())
        // Every look at the clock finds that a minute has passed, as after a machine was suspended.
        let relay = relay(gateway, MemoryJournal()) {
            moment.withLock {
                $0 += 61; return $0
            }
        }
        await #expect(throws: PaymentRefusal.self) { try await relay.pay(.sample("A")) }
        #expect(await gateway.charges.isEmpty)
    }

    private func relay(
        _ gateway: any Gateway, _ journal: any Journal, now: @escaping @Sendable () -> Date
    ) -> PaymentRelay {
        PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal, gateways: .only(gateway),
            logger: logger, now: now)
    }
}
