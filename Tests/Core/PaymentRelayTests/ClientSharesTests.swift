import Foundation
import JournalContract
import Logging
import PayrelayPrimitives
import TestPrograms
import Testing
import UnderWay

@testable import PaymentRelay

/// The share that one client may use of the limits that all clients share.
@Suite(.timeLimit(.minutes(25))) struct ClientSharesTests {
    private let gateway = ScriptedGateway(onCharge: { _ in .unknown(reason: "timeout") })
    private let relay: PaymentRelay

    init() {
        let moment = Date()
        relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: MemoryJournal(),
            gateways: .only(gateway), logger: .silent, now: { moment })
    }

    @Test(
        "S14: searches and settlements of one client wait in a quarter of the slots, and other clients' in the remaining ones"
    )
    func limitsSearchesOfAClient() async throws {
        try await expectShares(of: relay.searches) { [relay] client in
            _ = try await relay.search(PaymentQuery(visibleTo: .payments(VisiblePayments(of: client))))
        }
        try await expectShares(of: relay.searches) { [relay] client in
            _ = try await relay.settlement(from: .distantPast, until: .distantFuture, as: client)
        }
    }

    @Test(
        "S14: one client's queries to a gateway wait in a quarter of the slots, and other clients' in the remaining ones"
    )
    func limitsSyncsOfAClient() async throws {
        for (number, client) in ["shop", "bank"].enumerated() {
            _ = try await relay.pay(.sample(client, token: number, client: client))
        }
        try await expectShares(of: relay.syncs["fort"]) { [relay] client in
            _ = try await relay.sync(client, among: VisiblePayments(of: client))
        }
        #expect(try await relay.payment("bank")?.state == .captured)
    }

    @Test("R15: clients' queries to a gateway leave slots to payments, even if instances share the slots")
    func syncsLeavePlacesToPayments() async throws {
        let (places, mayAnswer) = (Slots<String>(limit: 15, waitersAtMost: (inAll: 0, ofOne: 0)), Gate())
        let gateway = ScriptedGateway(
            onCharge: { _ in
                guard await places.enter() else { return .notSent(reason: "no slot is free") }
                places.leave()
                return .answered(GatewayAnswer(.captured))
            },
            onQuery: { _ in
                guard await places.enter() else { return .notSent(reason: "no slot is free") }
                await mayAnswer.wait()
                places.leave()
                return .answered(GatewayAnswer(.captured))
            })
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60), requestsAtOnce: ["fort": 60]),
            journal: MemoryJournal(),
            gateways: .only(gateway), logger: .silent)
        relay.divideLimits(among: 4)
        _ = try await relay.pay(.sample("A", client: "shop"))
        await withTaskGroup(of: Bool.self) { tasks in
            for _ in 1...18 {
                tasks.addTask {
                    await Self.isAnswered("shop") { _ = try await relay.sync("A", among: VisiblePayments(of: $0)) }
                }
            }
            // One query is under way, and as many calls wait as may wait: one of the 18 calls is refused.
            #expect(await tasks.next() == false)
            let other = try? await relay.pay(.sample("B", token: 2, client: "shop"))
            #expect(other?.payment.state == .captured)
            mayAnswer.open()
        }
    }

    @Test("S14: the reconciler and the investigator do not wait for clients' queries to a gateway")
    func reconcilesWhileClientsWait() async throws {
        relay.syncs["fort"]?.change(limit: 0)
        _ = try await relay.pay(.sample("A", client: "shop"))
        await Reconciler(relay: relay, logger: .silent).workOff()
        #expect(try await relay.payment("A")?.state == .captured)
        let elsewhere = GatewayHint(
            account: "main", merchantReference: "B", subject: .charge(.authorization), statement: .authorized,
            amount: 10_000, currency: "AED", gatewayReference: nil)
        _ = try await relay.record(elsewhere, kind: .direct)
        await Investigator(relay: relay, logger: .silent).workOff()
        #expect(await gateway.queries == ["A", "main B"])
    }

    /// While no slot is free, a client's call beyond the limit of waiting calls is refused, and another client's calls still
    /// wait.
    private func expectShares(
        of limiter: Slots<String>?, _ call: @escaping @Sendable (_ client: String) async throws -> Void
    ) async throws {
        let limiter = try #require(limiter)
        limiter.change(limit: 0)
        await withTaskGroup(of: Bool.self) { tasks in
            for client in ["shop", "bank"] {
                for _ in 1...17 { tasks.addTask { await Self.isAnswered(client, call) } }
                #expect(await tasks.next() == false)
            }
            limiter.change(limit: 1)
            for await isAnswered in tasks { #expect(isAnswered) }
        }
    }

    /// Whether the call is answered, instead of being refused because too many calls wait.
    private static func isAnswered(
        _ client: String, _ call: @Sendable (_ client: String) async throws -> Void
    ) async -> Bool {
        do {
            try await call(client)
            return true
        } catch JournalError.overloaded {
            return false
        } catch {
            Issue.record(error)
            return false
        }
    }
}
