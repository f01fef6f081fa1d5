import Foundation
import JournalContract
import Logging
import PayrelayPrimitives
import Synchronization
import TestPrograms
import Testing

@testable import PaymentRelay

/// Customer data in a gateway's answers is erased, however often an answer repeats it (S10).
@Suite struct CustomerDataTests {
    @Test func erasesAReceiptThatComesAfterAnErasure() async throws {
        let journal = MemoryJournal()
        let answer = { @Sendable (meaning: GatewayAnswer.Meaning) in
            Outcome<GatewayAnswer>.answered(
                GatewayAnswer(
                    meaning: meaning, summary: ["card_number": "400555******0001"],
                    response: ["customer_name": "Sara", "response_code": "14000"]))
        }
        let gateway = ScriptedGateway(
            onCharge: { _ in answer(.captured) }, onOperation: { answer($0.command.success) })
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60), recordsEvents: true), journal: journal,
            gateways: .only(gateway),
            logger: .silent)
        _ = try await relay.pay(.sample("A"))
        for amount: MinorUnits in [4_000, 1_000] {
            _ = try await relay.perform(.sample(.refund, amount: amount))
            #expect(
                try await journal.eraseCustomerData(claimedBefore: .distantFuture, at: Date(), knowing: .sample) == 1)
            let payment = try #require(await journal.payment("A"))
            let receipts = [payment.receipt] + payment.operations.map(\.receipt)
            let events = await journal.history(of: "A").map(\.event)
            for bytes in (receipts + events).compactMap({ $0 }) {
                let text = String(decoding: bytes, as: UTF8.self)
                #expect(!text.contains("Sara") && !text.contains("400555"), "\(text)")
            }
        }
        #expect(try await journal.eraseCustomerData(claimedBefore: .distantFuture, at: Date(), knowing: .sample) == 0)
    }

    @Test(
        "The fields that stay of an erased payment are those of all gateways, also of gateways without an account",
        .timeLimit(.minutes(25)))
    func keepsWhatAFormerGatewayAnswered() async throws {
        let journal = MemoryJournal()
        let gateway = ScriptedGateway(onCharge: { _ in
            let response: JSONObject = ["customer_email": "Sara@example.com", "former_code": "14000"]
            return .answered(GatewayAnswer(meaning: .captured, summary: [:], response: response))
        })
        let kept = AnswerVocabulary([
            (SampleGateway.name, AnswerFields([AnswerField("former_code", for: .phone)]))
        ])
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60), retention: .zero), journal: journal,
            gateways: .only(gateway, vocabulary: kept), logger: .silent)
        _ = try await relay.pay(.sample("A"))
        let retention = Task { await relay.enforceRetention() }
        defer { retention.cancel() }
        while await journal.payment("A")?.holdsCustomerData == true { try await Task.sleep(for: .milliseconds(5)) }
        let payment = try #require(await journal.payment("A"))
        let text = String(decoding: try #require(payment.receipt), as: UTF8.self)
        #expect(text.contains("14000") && !text.contains("Sara"), "\(text)")
    }

    @Test(
        "Retention erases several payments at once, so that they share the journal's commits", .timeLimit(.minutes(25)))
    func erasesSeveralAtOnce() async throws {
        let journal = CrowdedJournal(size: 8)
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal.inner,
            gateways: .only(
                ScriptedGateway(onCharge: { _ in .answered(GatewayAnswer(.captured, reference: "7")) })),
            logger: .silent)
        for number in 0..<16 { _ = try await relay.pay(.sample("\(number)", token: number)) }
        #expect(
            try await journal.eraseCustomerData(claimedBefore: .distantFuture, at: Date(), knowing: .sample) == 16)
    }

    @Test(
        "A payment that a query ends keeps the customer and card of the order, the token and an earlier answer"
    )
    func keepsWhatTheOrderAndAnEarlierAnswerSaid() async throws {
        let journal = MemoryJournal()
        let gateway = ScriptedGateway(
            onQuery: { _ in .answered(.paid(reference: "7")) })
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal, gateways: .only(gateway),
            logger: .silent)
        let fields = [
            "command": "PURCHASE", "merchant_reference": "A", "amount": "10000", "currency": "AED",
            "customer_email": "sara@example.com", "customer_name": "سارة", "phone_number": "+971501234567",
        ]
        let charge = SampleCharge(
            order: try #require(Order(fields, account: "main")), token: try .unsigned(1)
        ) {
            .answered(
                GatewayAnswer(
                    meaning: .pending(reason: "on hold"),
                    summary: ["card_number": "400555******0001", "response_code": "20000"], response: [:]))
        }
        _ = try await relay.pay(
            PaymentRequest(
                charge, fingerprint: RequestFingerprint(bytes: [1]), idempotencyKey: nil, client: nil, identifier: "r"))
        let settled = try #require(try await relay.sync("A"))
        #expect(settled.state == .captured && settled.gatewayReference == "7")
        #expect(settled.cardLastFour == "0001" && settled.summary["card_number"] == "400555******0001")
        #expect(settled.summary["response_code"] == "14000")
        #expect(
            settled.customer
                == CustomerDetails(
                    email: "sara@example.com", name: "سارة", phoneNumber: "+971501234567", cardDisplayName: "Visa 0492",
                    cardNetwork: "Visa"))
        #expect(settled.customer.cardLastFour == "0492")
        #expect(try await journal.eraseCustomerData(of: "A", at: Date(), knowing: .sample))
        let erased = try #require(await journal.payment("A"))
        #expect(erased.customer.isEmpty && erased.cardLastFour == nil && erased.summary["card_number"] == nil)
    }

    @Test("Operators' notes on an old payment have a separate retention, and the other data is erased on time")
    func keepsWhatOperatorsWroteLater() async throws {
        let journal = MemoryJournal()
        let moment = Mutex(Date.wholeSecond)
        let answer = { @Sendable (meaning: GatewayAnswer.Meaning) in
            Outcome<GatewayAnswer>.answered(
                GatewayAnswer(meaning: meaning, summary: [:], response: ["customer_name": "Sara"]))
        }
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal,
            gateways: .only(
                ScriptedGateway(onCharge: { _ in answer(.captured) }, onOperation: { answer($0.command.success) })),
            logger: .silent, now: { moment.withLock { $0 } })
        _ = try await relay.pay(.sample("A"))
        moment.withLock { $0 += 100 }
        let omar = OperatorRequest(operatorName: "omar", identifier: "1", permitted: [.writeNote, .refund])
        #expect(try await relay.write(OperatorNote("disputed"), on: "A", by: omar) == .done)
        let basis = try #require(await journal.payment("A")).version
        _ = try await relay.perform(
            OperationRequest(
                merchantReference: "A", command: .refund, amount: 1_000, idempotencyKey: "k", because: "goodwill",
                by: omar, basis: basis))
        let steps: [(since: Double, erased: Int, isKept: Bool)] = [(50, 1, true), (50, 0, true), (101, 1, false)]
        for (since, erased, isKept) in steps {
            #expect(
                try await journal.eraseCustomerData(
                    claimedBefore: .wholeSecond + since, at: .wholeSecond + 200, knowing: .sample) == erased)
            #expect(await journal.history(of: "A").compactMap(\.note) == (isKept ? ["disputed"] : []))
            let payment = try #require(await journal.payment("A"))
            #expect(payment.operations.compactMap(\.givenReason) == (isKept ? ["goodwill"] : []))
            for receipt in ([payment.receipt] + payment.operations.map(\.receipt)).compactMap({ $0 }) {
                #expect(!String(decoding: receipt, as: UTF8.self).contains("Sara"))
            }
        }
    }

    @Test("A phone's text about its card is bounded, and is only text")
    func boundsWhatAPhoneSays() throws {
        let long = CustomerDetails(name: String(repeating: "\u{301}", count: 10_000), cardDisplayName: "Visa \0 04٤2")
        #expect(long.name.map { $0.utf8.count <= 254 } == true)
        #expect(long.cardDisplayName == "Visa \u{FFFD} 04٤2" && long.cardLastFour == nil)
        #expect(CustomerDetails(json: ["customer_email": 7, "customer_name": ["a"], "phone_number": ""]).isEmpty)
        #expect(CustomerDetails(json: long.json) == long)
    }

    @Test("S10: a field that no list names is erased in receipts and events, and the money's history stays")
    func erasesWhatNoListNames() throws {
        let receipt: JSON = [
            "merchant_reference": "A", "outcome": "captured", "amount": 100, "response_code": "14000",
            "a_field_of_tomorrow": "Sara", "unproven": ["currency"],
            "processor_response": [
                "fort_id": "1", "status": "14", "card_holder_name": "Sara", "shipping": ["name": "Sara"],
                "response_message": ["nested": "Sara", "status": "Success"],
            ],
        ]
        let data = CustomerData(in: SampleGateway.fields)
        let erased = try JSON(parsing: data.erased(from: receipt.encoded()))
        #expect(
            erased == [
                "merchant_reference": "A", "outcome": "captured", "amount": 100, "response_code": "14000",
                "unproven": ["currency"],
                "processor_response": ["fort_id": "1", "status": "14", "response_message": ["status": "Success"]],
            ])
        // Erasing a second time leaves every byte unchanged.
        #expect(data.erased(from: erased.encoded()) == erased.encoded())
    }
}

/// A journal that commits only when `size` changes wait for it.
private final class CrowdedJournal: ForwardingJournal {
    private struct Crowd {
        var gate = Gate()
        var waiting = 0
    }

    let inner = MemoryJournal()
    private let size: Int
    private let crowd = Mutex(Crowd())

    init(size: Int) {
        self.size = size
    }

    var target: any Journal { inner }

    func commit(_ change: Change) async throws(JournalError) -> CommitResult {
        let gate = crowd.withLock { crowd in
            crowd.waiting += 1
            let gate = crowd.gate
            if crowd.waiting == size {
                gate.open()
                crowd.gate = Gate()
                crowd.waiting = 0
            }
            return gate
        }
        await gate.wait()
        return await inner.commit(change)
    }
}
