import Foundation
import JournalContract
import Logging
import PayrelayPrimitives
import Synchronization
import Testing

@testable import PaymentRelay

/// The source of each entry of a payment's history, and how queries that changed nothing are reported.
@Suite struct HistorySourceTests {
    private let journal = MemoryJournal()

    private func relay(_ gateway: ScriptedGateway) -> PaymentRelay {
        PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal, gateways: .only(gateway),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test func aPaymentThatSettlesAtOnceHasTwoEntriesAndNoQuestion() async throws {
        let relay = relay(ScriptedGateway())
        _ = try await relay.pay(.sample("A"))
        #expect(try await relay.history(of: "A").map(\.source) == [.client(nil), .gatewayAnswer])
        #expect(try await relay.queriesWithoutChange(of: "A").isEmpty)
    }

    @Test func questionsWithoutAChangeAreCountedByAskerAndTheOneThatSettlesIsAnEntry() async throws {
        let asked = Mutex(0)
        let gateway = ScriptedGateway(
            onCharge: { _ in .unknown(reason: "timeout") },
            onQuery: { _ in
                let count = asked.withLock {
                    $0 += 1
                    return $0
                }
                return switch count {
                case 1: .unknown(reason: "timeout after 30 s")
                case 2: .notSent(reason: "connection refused")
                case 3, 4: .answered(GatewayAnswer(.pending(reason: "on hold")))
                default: .answered(.paid())
                }
            })
        let relay = relay(gateway)
        _ = try await relay.pay(.sample("A"))
        let operatorRequest = OperatorRequest(
            operatorName: "sara", identifier: "r1", permitted: [.queryGateway, .resendEvents])
        let unanswered = try await relay.queryGateway(about: "A", by: .report)
        #expect(unanswered?.reasonOfSilence == "timeout after 30 s")
        let notSent = try await relay.queryGateway(about: "A", by: .report)
        #expect(notSent?.reasonOfSilence == "connection refused")
        #expect(try await relay.queryGateway(about: "A", by: operatorRequest) == .unchanged)
        _ = try await relay.queryGateway(about: "A", by: .report)
        #expect(try await relay.queryGateway(about: "A", by: operatorRequest) == .changed)
        #expect(try await relay.queryGateway(about: "A", by: operatorRequest) == .unchanged)
        let history = try await relay.history(of: "A")
        #expect(history.map(\.source) == [.client(nil), .gatewayAnswer, .checkStatus(by: .operator("sara"))])
        let queries = try await relay.queriesWithoutChange(of: "A")
        #expect(queries.map(\.afterEntry) == [2, 2, 3])
        #expect(queries.map(\.requester) == [.report, .operator("sara"), .operator("sara")])
        #expect(queries.map(\.times) == [3, 1, 1])
        #expect(queries.map(\.answer) == [.open, .open, .unchanged])
        #expect(queries.map(\.reason) == ["on hold", "on hold", nil])
    }

    @Test func anInterruptedChargeAndAClientsOperationHaveTheirSource() async throws {
        let request = try SampleRequest.sample("A")
        _ = await journal.claim(Change.sample(request))
        let relay = relay(ScriptedGateway())
        _ = try await relay.sync("A", request: "r")
        #expect(
            try await relay.history(of: "A").map(\.source) == [.client(nil), .recovery, .checkStatus(by: .client(nil))])
        let refund = OperationRequest(
            merchantReference: "A", command: .refund, amount: nil, idempotencyKey: "form",
            by: OperatorRequest(operatorName: "omar", identifier: "r2", permitted: [.refund]),
            basis: try #require(try await relay.payment("A")).version)
        _ = try await relay.perform(refund)
        #expect(try await relay.history(of: "A").suffix(2).map(\.source) == [.operator("omar"), .gatewayAnswer])
    }

    @Test(
        "a source that no version wrote is not known, and is not guessed",
        arguments: [
            "", " ", "client ", "operator", "operator ", "processor_answer x", "Client", "check_status",
            "check_status ",
            "check_status nobody", "check_status operator", "notification", "notification offline",
            "check_status notification", "check_status notification offline", "recovery ",
            "<script>", "client\0", "report x", String(repeating: "x", count: 2_000),
            "client " + String(repeating: "x", count: 2_000),
        ])
    func whatNoVersionWroteIsUnknown(text: String) {
        #expect(HistorySource(text: text) == nil)
        #expect(StatusRequester(text: text) == nil)
    }

    /// A backend may answer with any text, for as long as it likes. The stored part of an attempt is bounded.
    @Test func anAttemptIsBoundedWhateverTheReceiverTells() {
        let much = String(repeating: "\u{1F600}\0", count: 1_000_000)
        let refused = DeliveryAttempt(
            of: DeliveryResult(.refused(reason: much), endpoint: much, status: 500, answer: much), at: .distantPast,
            taking: .seconds(1e18), nextAt: nil)
        #expect((refused.answer?.utf8.count ?? 0) <= DeliveryAttempt.answerLimit && refused.endpoint.utf8.count <= 500)
        #expect(refused.error == nil && refused.answer?.contains("\0") == false)
        let unanswered = DeliveryAttempt(
            of: DeliveryResult(.unanswered(reason: much), answer: much), at: .distantPast, taking: .zero, nextAt: nil)
        #expect((unanswered.error?.utf8.count ?? 0) <= 500 && unanswered.answer == nil)
        let acknowledged = DeliveryAttempt(
            of: DeliveryResult(.acknowledged, status: 200, answer: "thanks"), at: .distantPast, taking: .zero,
            nextAt: nil)
        #expect(acknowledged.answer == nil)
    }
}
