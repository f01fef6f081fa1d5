import FortModule
import PaymentRelay
import PayrelayPrimitives
import Testing

@testable import RelayServer

/// The receipt that a phone gets.
@Suite struct PhoneReceiptTests {
    private let phone = PhoneReceipt(vocabulary: AnswerVocabulary([(FortModule.name, FortModule.answerFields)]))

    private let receipt: JSONObject = [
        "merchant_reference": "ORDER-1", "command": "PURCHASE", "outcome": "captured", "amount": 10_000,
        "currency": "AED", "response_code": "14000", "fort_id": "1492", "access_code": "ACCESS", "later": "added",
        "token_name": "Op9Vmp", "agreement_id": "AGR1", "expiry_date": "2105", "card_holder_name": "Sara",
        "processor_response": ["access_code": "ACCESS", "signature": "abcd", "merchant_identifier": "M"],
    ]

    @Test func hasTheListedMembersInOrderAndNoOthers() throws {
        let view = try JSON(parsing: phone.of(receipt: JSON.object(receipt).encoded(), gateway: "fort"))
        #expect(
            view.objectValue?.names == [
                "merchant_reference", "command", "outcome", "amount", "currency", "response_code", "fort_id",
            ])
    }

    @Test("a phone's receipt says that its payment was simulated")
    func saysThatThePaymentWasSimulated() {
        var simulated = receipt
        simulated["simulated"] = true
        #expect(phone.of(simulated, gateway: "fort")["simulated"] == true)
        #expect(phone.of(receipt, gateway: "fort")["simulated"] == nil)
    }

    @Test func makesTheSameBytesOfTheSameReceipt() {
        let bytes = JSON.object(receipt).encoded()
        #expect(phone.of(receipt: bytes, gateway: "fort") == phone.of(receipt: bytes, gateway: "fort"))
        #expect(phone.of(receipt: Array("no JSON".utf8), gateway: "fort") == [])
    }

    @Test func showsOutcomesOfOperationsAndHistory() {
        var payment = receipt
        payment["operations"] = [
            [
                "command": "REFUND", "outcome": "refunded", "amount": 1, "maintenance_reference": "secret",
                "begun_at": "2026-01-01T00:00:00Z", "processor_response": ["signature": "abcd"],
            ]
        ]
        payment["history"] = [["at": "2026-01-01T00:00:00Z", "outcome": "captured", "request_id": "x", "reason": "y"]]
        let view = phone.of(payment, gateway: "fort")
        #expect(
            view["operations"] == [
                ["command": "REFUND", "outcome": "refunded", "amount": 1, "begun_at": "2026-01-01T00:00:00Z"]
            ])
        #expect(view["history"] == [["at": "2026-01-01T00:00:00Z", "outcome": "captured"]])
    }
}
