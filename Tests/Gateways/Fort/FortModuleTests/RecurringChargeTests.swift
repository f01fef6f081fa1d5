import FortAPI
import PaymentRelay
import PayrelayPrimitives
import Testing

@testable import FortModule

@Suite struct RecurringChargeTests {
    @Test func isSentAsAPurchaseWithTheStoredCard() async throws {
        let fort = try ScriptedFort(answering: ["response_code": "14000", "status": "14"])
        let charge = try fort.gateway.prepareRecurring(Samples.recurring, account: "default")
        #expect(charge.token == nil)
        #expect(
            charge.order
                == Order(Samples.recurring.merging(["command": "PURCHASE"]) { $1 }, account: "default"))
        #expect(await charge.send().answer?.meaning == .captured)
        let sent = try #require(fort.requests.first)
        #expect(fort.requests.count == 1)
        #expect(sent["command"] == "PURCHASE" && sent["eci"] == "RECURRING" && sent["token_name"] == "Op9Vmp")
        #expect(!sent.names.contains { $0.hasPrefix("apple_") || $0 == "digital_wallet" })
    }

    @Test(arguments: [("13666", GatewayAnswer.Meaning.declined), ("00044", .declined), ("13007", .duplicate)])
    func anAnswerMeans(code: String, meaning: GatewayAnswer.Meaning) async throws {
        let fort = try ScriptedFort(answering: ["response_code": .string(code)])
        #expect(
            try await fort.gateway.prepareRecurring(Samples.recurring, account: "default").send().answer?.meaning
                == meaning
        )
    }

    @Test func everyErrorOfTheFieldsIsNamedAtOnce() throws {
        let fort = try ScriptedFort(answering: [:])
        let error = #expect(throws: ValidationErrors.self) {
            try fort.gateway.prepareRecurring(["oops": "x"], account: "default")
        }
        #expect(
            Set(error?.errors.map(\.field) ?? []) == [
                "merchant_reference", "amount", "currency", "language", "customer_email", "token_name", "oops",
            ])
    }

    @Test func theSummaryHasTheDataForALaterCharge() async throws {
        let told: JSONObject = [
            "response_code": "14000", "status": "14", "token_name": "Op9Vmp", "agreement_id": "AGR123456789",
            "expiry_date": "2105", "card_holder_name": "John Smith", "customer_name": "John Smith",
        ]
        let answer = try #require(try await ScriptedFort(answering: told).charge().answer)
        for name in ["token_name", "agreement_id", "expiry_date", "card_holder_name"] {
            #expect(answer.summary[name] == told[name])
        }
        #expect(answer.summary["customer_name"] == nil)
    }
}
