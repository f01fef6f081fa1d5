import ApplePayToken
import Foundation
import Logging
import Testing

@testable import PaymentRelay

/// Callers that are told apart know nothing of each other.
@Suite struct ClientTests {
    private let processor = ScriptedProcessor()
    private let relay: PaymentRelay

    init() {
        relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: MemoryJournal(), processor: processor,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test("S7: a payment does not exist for another client") func hidesAPaymentFromAnotherClient() async throws {
        _ = try await relay.pay(.sample("A", client: "shop"))
        #expect(try await relay.payment("A", for: "bank") == nil)
        #expect(try await relay.sync("A", for: "bank") == nil)
        for command: OperationCommand in [.capture, .voidAuthorization, .refund] {
            await #expect(throws: OperationRefusal.noSuchPayment) {
                try await relay.perform(
                    OperationRequest(merchantReference: "A", command: command, client: "bank", identifier: "r"))
            }
        }
        #expect(await processor.queries == [])
        #expect(await processor.operations == [])
        #expect(try await relay.payment("A", for: "shop")?.client == "shop")
        #expect(try await relay.sync("A", for: "shop")?.state == .captured)
    }

    @Test("S7: an authenticated client does not see a payment without a client")
    func hidesAPaymentWithoutAClientFromAuthenticatedClients() async throws {
        _ = try await relay.pay(.sample("A"))
        #expect(try await relay.payment("A", for: "shop") == nil)
        #expect(try await relay.payment("A") != nil)
    }

    @Test("S7: the same request of another client is another request")
    func takesTheSameRequestOfAnotherClientForAnotherRequest() async throws {
        _ = try await relay.pay(.sample("A", client: "shop"))
        await #expect(throws: PaymentRefusal.referenceTaken) { try await relay.pay(.sample("A", client: "bank")) }
        #expect(try await relay.pay(.sample("A", client: "shop")).isReplay)
        #expect(await processor.charges == ["A"])
    }

    @Test func keepsIdempotencyKeysPerClient() async throws {
        _ = try await relay.pay(.sample("A", token: 1, key: "k", client: "shop"))
        _ = try await relay.pay(.sample("B", token: 2, key: "k", client: "bank"))
        _ = try await relay.pay(.sample("C", token: 3, key: "k"))
        await #expect(throws: PaymentRefusal.idempotencyKeyTaken) {
            try await relay.pay(.sample("D", token: 4, key: "k", client: "shop"))
        }
        #expect(await processor.charges == ["A", "B", "C"])
    }
}
