import Foundation
import JournalContract
import Logging
import PayrelayPrimitives
import Synchronization
import Testing

@testable import PaymentRelay

/// The changes that have an event, and the content of the event.
@Suite struct EventTests {
    private let journal = MemoryJournal()
    private let receiver = ScriptedReceiver()

    @Test func recordsAnEventForAProvenCharge() async throws {
        let relay = relay(ScriptedGateway())
        _ = try await relay.pay(.sample("A"))
        try await deliver(relay)
        let event = try #require(receiver.events.first)
        #expect(receiver.events.count == 1)
        #expect(
            event.json == [
                "id": .string(event.identifier), "type": "payment.captured", "occurred_at": "2027-01-15T08:00:00.000Z",
                "merchant_reference": "A", "outcome": "captured",
                "payment": [
                    "merchant_reference": "A", "command": "PURCHASE", "outcome": "captured", "amount": 10_000,
                    "currency": "AED", "captured_amount": 10_000, "refunded_amount": 0,
                    "processor": "fort", "account": "main",
                    "apple_transaction_identifier": .string(String(repeating: "0", count: 63) + "1"),
                    "response_code": "14000",
                ],
            ])
        // The identifier has the first 16 bytes of the SHA-256 of "A", the number of the history's entry, and the entry's time.
        #expect(event.identifier == "evt_559aead08264d5795d3909718cdd05ab_2_1800000000000")
        #expect(try await journal.events(of: "A").map(\.identifier) == [event.identifier])
    }

    @Test("After a restore, another event of the same entry has another identifier; one that is sent again has its own")
    func identifiesAnotherEventOfTheSameEntry() throws {
        func identifier(_ type: String, attempt: Int, at moment: Date) throws -> String {
            let recorded = Array(#"{"type":"\#(type)","merchant_reference":"A"}"#.utf8)
            let due = DueEvent(
                merchantReference: "A", number: 2, at: moment, attempt: attempt, leasedUntil: moment + 60,
                recorded: recorded)
            return try MerchantEvent(due).identifier
        }
        let lost = try identifier("payment.captured", attempt: 1, at: .wholeSecond)
        #expect(try identifier("payment.captured", attempt: 2, at: .wholeSecond) == lost)
        #expect(try identifier("payment.declined", attempt: 1, at: .wholeSecond + 0.001) != lost)
    }

    @Test func recordsNoEventWithoutProof() async throws {
        let reports: [Outcome<GatewayAnswer>] = [
            .notSent(reason: "r"), .unknown(reason: "r"),
            .answered(GatewayAnswer(.pending(reason: "r"), reference: "1")), .answered(GatewayAnswer(.duplicate)),
        ]
        for (number, report) in reports.enumerated() {
            _ = try? await relay(ScriptedGateway(onCharge: { _ in report })).pay(.sample("\(number)", token: number))
        }
        #expect(await journal.eventSummary() == EventSummary())
        let relay = relay(ScriptedGateway(onQuery: { _ in .answered(GatewayAnswer(.declined)) }))
        _ = try await relay.sync("2")
        try await deliver(relay)
        #expect(receiver.events.map(\.type) == ["payment.declined"])
    }

    @Test func namesTheEventOfAnOperationByThePaymentsNewState() async throws {
        let declines = Mutex(false)
        let relay = relay(
            ScriptedGateway(
                onCharge: { _ in .answered(GatewayAnswer(.authorized)) },
                onOperation: { operation in
                    .answered(GatewayAnswer(declines.withLock { $0 } ? .declined : operation.command.success))
                }))
        _ = try await relay.pay(.sample("A"))
        _ = try await relay.perform(.sample(.capture, amount: 4_000))
        declines.withLock { $0 = true }
        _ = try await relay.perform(.sample(.refund, amount: 1_000, reference: "r-1"))
        declines.withLock { $0 = false }
        _ = try await relay.perform(.sample(.refund, amount: 1_000, reference: "r-2"))
        try await deliver(relay)
        #expect(
            receiver.events.map(\.type) == [
                "payment.authorized", "payment.partially_captured", "refund.declined", "payment.partially_refunded",
            ])
        #expect(receiver.events.map(\.number) == [2, 4, 6, 8])
        #expect(
            receiver.events[2].json?["operation"] == [
                "command": "REFUND", "maintenance_reference": "r-1", "amount": 1_000, "outcome": "declined",
                "response_code": "14000",
            ])
        #expect(receiver.events[2].json?["payment"]?["response_code"] == nil)
        // Each event is reported late, but with the payment as it was then.
        let delivered = receiver.events.map { event in
            [
                event.json?["outcome"], event.json?["payment"]?["captured_amount"],
                event.json?["payment"]?["refunded_amount"],
            ]
        }
        #expect(
            delivered == [
                ["authorized", 0, 0], ["partially_captured", 4_000, 0], ["partially_captured", 4_000, 0],
                ["partially_refunded", 4_000, 1_000],
            ])
    }

    @Test("S1: an event holds no customer data") func holdsNoCustomerDataInAnEvent() async throws {
        let answer = GatewayAnswer(
            meaning: .captured, summary: ["fort_id": "1", "customer_email": "sara@example.com"],
            response: ["customer_name": "Sara"])
        let relay = relay(ScriptedGateway(onCharge: { _ in .answered(answer) }))
        _ = try await relay.pay(.sample("A"))
        try await deliver(relay)
        let text = String(decoding: try #require(receiver.events.first).body, as: UTF8.self)
        #expect(text.contains("fort_id") && !text.lowercased().contains("sara"))
    }

    @Test func recordsNoEventsWithoutAReceiver() async throws {
        let relay = relay(ScriptedGateway(), recordsEvents: false)
        _ = try await relay.pay(.sample("A"))
        #expect(await journal.history(of: "A").allSatisfy { $0.event == nil })
        #expect(await journal.eventSummary() == EventSummary())
    }

    private func deliver(_ relay: PaymentRelay) async throws {
        await EventDelivery(relay: relay, receiver: receiver, logger: .silent).workOff()
    }

    private func relay(_ gateway: any Gateway, recordsEvents: Bool = true) -> PaymentRelay {
        PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60), recordsEvents: recordsEvents), journal: journal,
            gateways: .only(gateway), logger: .silent, now: { Date(timeIntervalSince1970: 1_800_000_000) })
    }
}
