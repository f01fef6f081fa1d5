import Foundation
import JournalContract
import PayrelayPrimitives
import Testing

@testable import PaymentRelay

@Suite struct OperatorRequestTests {
    @Test("S7: nothing is done for an operator whose role does not permit it", arguments: OperatorAction.allCases)
    func demandsThePermission(missing: OperatorAction) async throws {
        let journal = MemoryJournal()
        let gateway = ScriptedGateway(onCharge: { _ in .answered(GatewayAnswer(.captured)) })
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal, gateways: .only(gateway),
            logger: .silent)
        _ = try await relay.pay(.sample("A"))
        let before = try #require(await journal.payment("A"))
        let sara = OperatorRequest(
            operatorName: "sara", identifier: "1", permitted: Set(OperatorAction.allCases).subtracting([missing]))
        switch missing {
        case .queryGateway: #expect(try await relay.queryGateway(about: "A", by: sara) == .notPermitted)
        case .resendEvents:
            #expect(try await relay.resendEvents(of: "A", by: sara) == .notPermitted)
            #expect(try await relay.resendFailedEvents(by: sara) == .notPermitted)
        case .writeNote: #expect(try await relay.write(OperatorNote("x"), on: "A", by: sara) == .notPermitted)
        case .takePayment:
            #expect(try await relay.take("A", by: sara) == .notPermitted)
            #expect(try await relay.release("A", by: sara) == .notPermitted)
        case .capture, .void, .refund:
            let command = try #require(OperationCommand.allCases.first { OperatorAction($0) == missing })
            await #expect(throws: OperationRefusal.notPermitted) {
                try await relay.perform(
                    OperationRequest(
                        merchantReference: "A", command: command, amount: nil, idempotencyKey: "k", by: sara,
                        basis: before.version))
            }
        case .forget:
            #expect(try await relay.forget(EmailDigest(of: "a@example.com"), in: ["A"], by: sara) == .notPermitted)
        // The server handles some of these actions without the core, and `TakenPaymentTests` and `ResolvePaymentTests` test the
        // others.
        case .releasePayment, .resolvePayment, .look, .exportPayments, .seeBackendAnswers, .simulateGateway: break
        }
        #expect(await journal.payment("A") == before)
        #expect(await gateway.queries == [])
    }

    @Test("R1: an operator's decision on an older state of the payment is refused")
    func refusesWhatWasDecidedOnAnOlderState() async throws {
        let journal = MemoryJournal()
        let gateway = ScriptedGateway(
            onCharge: { _ in .answered(GatewayAnswer(.captured)) })
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal, gateways: .only(gateway),
            logger: .silent)
        _ = try await relay.pay(.sample("A"))
        let seen = try #require(await journal.payment("A")).version
        func refund(_ key: String, basis: Int) async throws(OperationRefusal) -> OperationResult {
            try await relay.perform(
                OperationRequest(
                    merchantReference: "A", command: .refund, amount: 100, idempotencyKey: key,
                    by: OperatorRequest(operatorName: "sara", identifier: "1", permitted: [.refund]), basis: basis))
        }
        #expect(try await refund("first", basis: seen).operation.state == .done)
        await #expect(throws: OperationRefusal.changedSince) { try await refund("second", basis: seen) }
        // The same form, sent again, gets its first answer.
        #expect(try await refund("first", basis: seen).isReplay)
        #expect(await journal.payment("A")?.balance.refunded == 100)
    }
}
