import ApplePayToken
import Foundation
import JournalContract
import Logging
import PayrelayPrimitives
import Testing

@testable import PaymentRelay

/// S7: authenticated clients do not see each other's payments.
@Suite struct ClientTests {
    private let gateway = ScriptedGateway(onUnknown: { _, _ in
        .answered(GatewayAnswer(.authorized, authorized: 10_000, totals: Balance()))
    })
    private let relay: PaymentRelay

    init() {
        relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: MemoryJournal(),
            gateways: .only(gateway),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test("S7: a payment does not exist for another client") func hidesAPaymentFromAnotherClient() async throws {
        _ = try await relay.pay(.sample("A", client: "shop"))
        #expect(try await relay.payment("A", among: .init(of: "bank")) == nil)
        #expect(try await relay.sync("A", among: .init(of: "bank")) == nil)
        for command: OperationCommand in [.capture, .voidAuthorization, .refund] {
            await #expect(throws: OperationRefusal.noSuchPayment) {
                try await relay.perform(
                    OperationRequest(
                        merchantReference: "A", command: command, visible: .init(of: "bank"), identifier: "r"))
            }
        }
        #expect(await gateway.queries == [])
        #expect(await gateway.operations == [])
        #expect(try await relay.payment("A", among: .init(of: "shop"))?.client == "shop")
        #expect(try await relay.sync("A", among: .init(of: "shop"))?.state == .captured)
    }

    @Test("S7: an authenticated client does not see a payment without a client")
    func hidesAPaymentWithoutAClientFromAuthenticatedClients() async throws {
        _ = try await relay.pay(.sample("A"))
        #expect(try await relay.payment("A", among: .init(of: "shop")) == nil)
        #expect(try await relay.payment("A") != nil)
    }

    @Test("S7: a payment without a client stays hidden from a client that may see external payments")
    func aPaymentOfThisServiceIsNeverMadeElsewhere() async throws {
        _ = try await relay.pay(.sample("A"))
        _ = try await relay.pay(.sample("B", token: 2, client: "shop"))
        for reference in ["A", "B"] {
            #expect(try await relay.payment(reference, among: Self.bankAndElsewhere) == nil)
            #expect(try await relay.sync(reference, among: Self.bankAndElsewhere) == nil)
        }
        #expect(await gateway.queries == [])
    }

    @Test("S7: an external payment is hidden from a client that may not see external payments")
    func showsAPaymentMadeElsewhereToThoseAloneWhoMaySeeIt() async throws {
        let charge = GatewayHint(
            account: "main", merchantReference: "SDK-1", subject: .charge(.authorization), statement: .authorized,
            amount: 10_000, currency: "AED", gatewayReference: nil)
        #expect(try await relay.takeHint(charge))
        await Investigator(relay: relay, logger: relay.logger).workOff()
        let queries = await gateway.queries
        func void(_ visible: VisiblePayments?) async throws -> OperationResult {
            try await relay.perform(
                OperationRequest(
                    merchantReference: "SDK-1", command: .voidAuthorization, visible: visible, identifier: "r"))
        }
        #expect(try await relay.payment("SDK-1", among: .init(of: "bank")) == nil)
        #expect(try await relay.sync("SDK-1", among: .init(of: "bank")) == nil)
        await #expect(throws: OperationRefusal.noSuchPayment) { try await void(.init(of: "bank")) }
        #expect(await gateway.queries == queries)
        #expect(await gateway.operations == [])
        #expect(try await relay.payment("SDK-1", among: Self.bankAndElsewhere)?.client == nil)
        #expect(try await relay.payment("SDK-1")?.isMadeElsewhere == true)
        _ = try await void(Self.bankAndElsewhere)
        #expect(await gateway.operations.count == 1)
        // A reference belongs to its payment, whether or not the client may see the payment.
        await #expect(throws: PaymentRefusal.referenceTaken(differing: nil)) {
            try await relay.pay(.sample("SDK-1", client: "bank"))
        }
    }

    private static let bankAndElsewhere = VisiblePayments(of: "bank", includingMadeElsewhere: true)

    @Test("S7: the same request of another client is another request")
    func takesTheSameRequestOfAnotherClientForAnotherRequest() async throws {
        _ = try await relay.pay(.sample("A", client: "shop"))
        await #expect(throws: PaymentRefusal.referenceTaken(differing: nil)) {
            try await relay.pay(.sample("A", client: "bank"))
        }
        #expect(try await relay.pay(.sample("A", client: "shop")).isReplay)
        #expect(await gateway.charges == ["A"])
    }

    @Test func keepsIdempotencyKeysPerClient() async throws {
        _ = try await relay.pay(.sample("A", token: 1, key: "k", client: "shop"))
        _ = try await relay.pay(.sample("B", token: 2, key: "k", client: "bank"))
        _ = try await relay.pay(.sample("C", token: 3, key: "k"))
        await #expect(throws: PaymentRefusal.idempotencyKeyTaken) {
            try await relay.pay(.sample("D", token: 4, key: "k", client: "shop"))
        }
        #expect(await gateway.charges == ["A", "B", "C"])
    }
}
