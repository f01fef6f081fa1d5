import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// A subscription that the relay begins and APS's PHP SDK continues, and the reverse. A program that sends, signs and verifies
/// as the SDK does takes the SDK's place.
@Suite(.enabled(if: ExampleProgram.isOnThePath("php"), "php is not on the PATH"))
struct PHPSDKSubscriptionTests {
    private static let sdk = ExampleProgram(
        runtime: "php", command: ["php", Project.url("Tests/APS/php-sdk.php").path])

    /// The configuration has two access codes with separate phrases, as APS sets merchants up: one for Apple Pay, and one for
    /// the other payments. The SDK makes recurring payments with the second one, and has no HMAC.
    private static let config = """
        fort:
          accounts:
            apple:
              access_code: APPLEACCESS
              merchant_identifier: SHOP1
              signature_type: sha256
              request_phrase: request-apple
              response_phrase: response-apple
              currencies: AED
            cards:
              access_code: CARDACCESS
              merchant_identifier: SHOP1
              signature_type: sha512
              request_phrase: "request-$cards{é"
              response_phrase: "response-cards'٣"
        """

    private func servers() async throws -> RunningRelay {
        let folder = try TemporaryFolder()
        let config = try folder.file("payrelay.yaml", Self.config)
        return try await RunningRelay(sandbox: try await RunningSandbox(config: config), config: config)
    }

    private func send(_ payment: JSON, token: JSON? = nil, as account: JSON, to relay: RunningRelay) async throws
        -> JSON
    {
        var input: JSONObject = [
            "url": .string(relay.sandbox.settings["PAYRELAY_FORT_ENDPOINT"] ?? ""), "account": account,
            "payment": payment,
        ]
        input["token"] = token
        let run = try await Self.sdk.run(input: .object(input))
        try #require(run.succeeded, "\(run.text)")
        let result = try JSON(parsing: run.text)
        #expect(result["signed"] == true, "the SDK does not accept the answer: \(result)")
        return try #require(result["answer"])
    }

    private static let cards: JSON = [
        "access_code": "CARDACCESS", "merchant_identifier": "SHOP1", "request_phrase": "request-$cards{é",
        "response_phrase": "response-cards'٣", "sha": "sha512",
    ]
    private static let apple: JSON = [
        "access_code": "APPLEACCESS", "merchant_identifier": "SHOP1", "request_phrase": "request-apple",
        "response_phrase": "response-apple", "sha": "sha256",
    ]

    @Test func theSDKChargesACardThatTheRelayStored() async throws {
        let relay = try await servers()
        let (subscription, _) = try await Subscription.begin(at: relay)
        let payment = subscription.body("SDK-1").with([
            "payment_option": "VISA", "order_description": "شاي / Premium #1", "customer_name": "سارة",
            "merchant_extra": "b", "merchant_extra1": "a/1", "phone_number": "00962797219966",
            "settlement_reference": "XYZ9239-yu898",
        ])
        let answer = try await send(payment, as: Self.cards, to: relay)
        #expect(answer["response_code"] == "14000" && answer["eci"] == "RECURRING", "\(answer)")
        #expect(answer["token_name"] == .string(subscription.tokenName))
        #expect(answer["settlement_reference"] == "XYZ9239-yu898" && answer["customer_name"] == "سارة")
        #expect(try await relay.sandbox.charges(of: "SDK-1") == 1)
        // With the phrase of the other account, FORT answers "Signature mismatch".
        let mixed = try #require(Self.cards.objectValue).with(["request_phrase": "request-apple"])
        let refused = try await send(subscription.body("SDK-2").json, as: mixed, to: relay)
        #expect(refused["response_code"] == "00008")
        #expect(try await relay.sandbox.charges(of: "SDK-2") == 0)
    }

    @Test func theRelayChargesACardThatTheSDKStored() async throws {
        let relay = try await servers()
        let payment: JSON = [
            "merchant_reference": "SDK-FIRST", "amount": 10_000, "currency": "AED", "language": "en",
            "customer_email": "sara@example.com", "customer_ip": "192.0.2.10", "customer_name": "Sara",
            "recurring_mode": "UNSCHEDULED",
        ]
        let first = try await send(payment, token: Orders.token(), as: Self.apple, to: relay)
        #expect(first["response_code"] == "14000", "\(first)")
        let subscription = try Subscription(of: first)
        for account in ["cards", "apple"] {
            let reference = Orders.reference()
            let paid = try await relay.payRecurring(subscription.body(reference).with(["account": .string(account)]))
            #expect(paid.outcome == "captured", "\(paid.json ?? .null)")
            let found = try await relay.get("/v1/payments?account=\(account)&merchant_reference=\(reference)")
            #expect(try JSON(parsing: found.body)["payments"]?.arrayValue?.count == 1)
            #expect(paid.json?["processor_response"]?["access_code"] == nil)
            #expect(try await relay.perform(reference, "refund").outcome == "refunded")
        }
    }
}
