import ApplePayToken
import FortAPI
import Foundation
import OutboundHTTP
import PayrelayPrimitives
import Testing
import TokenMint

/// Every operation of the relay, received by a FORT in another language that checks each signature and each parameter.
@Suite(.enabled(if: FortInPython.isInstalled), .timeLimit(.minutes(25)))
struct FortInPythonTests {
    @Test(arguments: FortSignatureType.allCases)
    func everyOperationIsAsFORTDocumentsIt(type: FortSignatureType) async throws {
        let fort = try await FortInPython(type)
        let relay = try await RunningRelay(fort.settings)

        let (held, bought) = (Orders.reference(), Orders.reference())
        let token = try TokenMint().mint(
            TokenContents(amount: 10_000, currency: "AED", network: .masterCard, type: .credit),
            applicationData: [UInt8](repeating: 0xA7, count: 32), signedAt: Date())
        let authorization = try await relay.pay(
            Orders.body(held).with([
                "command": "AUTHORIZATION", "token": token, "language": "ar", "eci": "ECOMMERCE",
                "order_description": "شاي #1 / 2", "statement_descriptor": "TEA'S-SHOP", "customer_name": "سارة الأحمد",
                "phone_number": "+971 (50) 1234567", "recurring_mode": "UNSCHEDULED", "merchant_extra": "id:1,b/c@d.e",
                "merchant_extra1": "1", "merchant_extra2": "2", "merchant_extra3": "3", "merchant_extra4": "4",
                "merchant_extra5": "5",
            ]))
        #expect(authorization.outcome == "authorized", "\(authorization.json ?? .null)")
        #expect(try await relay.pay(Orders.body(bought).json).outcome == "captured")

        #expect(try await relay.perform(held, "capture", ["amount": 4_000]).outcome == "partially_captured")
        let number = try #require(authorization.json?["fort_id"])
        #expect(try await fort.received()["fort_id"] == number)
        #expect(try await relay.perform(held, "capture", ["order_description": "الباقي"]).outcome == "captured")
        let refund: JSONObject = ["amount": 2_500, "currency": "AED", "maintenance_reference": "R-1", "language": "ar"]
        #expect(try await relay.perform(held, "refund", refund).outcome == "partially_refunded")
        #expect(try await relay.perform(held, "refund", ["amount": 500]).outcome == "partially_refunded")
        #expect(try await relay.post("/v1/payments/\(held)/sync", []).outcome == "partially_refunded")
        #expect(try await relay.perform(bought, "refund").outcome == "refunded")

        let voided = Orders.reference()
        _ = try await relay.pay(Orders.body(voided).with(["command": "AUTHORIZATION"]))
        #expect(try await relay.perform(voided, "void").outcome == "voided")
        #expect(try await relay.post("/v1/payments/\(voided)/sync", []).outcome == "voided")

        let device: JSON = ["device_id": "ffffffff-a9fa-0b44-7b27-29e70033c587", "language": "ar"]
        #expect(try await relay.post("/v1/sdk-tokens", device.encoded()).status == 200)

        #expect(try await fort.complaints() == [])
    }

    @Test(arguments: FortSignatureType.allCases)
    func aRecurringPaymentIsAsFORTDocumentsIt(type: FortSignatureType) async throws {
        let fort = try await FortInPython(type)
        let relay = try await RunningRelay(fort.settings)
        let (subscription, _) = try await Subscription.begin(at: relay)
        #expect(try await relay.payRecurring(subscription.body().json).outcome == "captured")
        let (reference, year) = (Orders.reference(), subscription.body())
        let whole = year.with([
            "merchant_reference": .string(reference), "command": "PURCHASE", "eci": "RECURRING", "language": "ar",
            "payment_option": "VISA", "order_description": "شاي #1 / 2", "customer_ip": "2001:db8::1",
            "customer_name": "سارة الأحمد", "phone_number": "+971 (50) 1234567", "settlement_reference": "S-1_2.3",
            "merchant_extra": "id:1,b/c@d.e", "merchant_extra1": "1", "merchant_extra2": "2", "merchant_extra3": "3",
            "merchant_extra4": "4", "merchant_extra5": "5",
        ])
        #expect(try await relay.payRecurring(whole).outcome == "captured")
        #expect(try await fort.received()["settlement_reference"] == "S-1_2.3")
        #expect(try await relay.perform(reference, "refund", ["amount": 900]).outcome == "partially_refunded")
        #expect(try await relay.post("/v1/payments/\(reference)/sync", []).outcome == "partially_refunded")
        #expect(try await fort.complaints() == [])
        let foreign = try await relay.payRecurring(subscription.body().with(["token_name": "Op9Vmp"]))
        #expect(foreign.outcome == "declined" && foreign.json?["response_code"] == "00044")
    }

    /// FORT answers "on hold". Its feedback makes the relay query FORT again.
    @Test(arguments: zip(FortSignatureType.allCases, ["form", "json", "form", "json"]))
    func feedbackOfAnIndependentFORTSettlesAPayment(type: FortSignatureType, format: String) async throws {
        let fort = try await FortInPython(type)
        let relay = try await RunningRelay(fort.settings)
        for kind in ["direct", "notification"] {
            let reference = "\(kind)-\(format).held"
            let order = try Orders.body(reference).with(["customer_name": "سارة, Söhne"])
            #expect(try await relay.pay(order).outcome == "uncertain")
            #expect(try await relay.post("/v1/payments/\(reference)/sync", []).outcome == "uncertain")
            for _ in 1...2 {
                let path = "/v1/feedback/\(kind)"
                #expect(try await fort.sendFeedback(on: reference, to: path, at: relay, as: format) == 200)
            }
            #expect(try await relay.outcome(of: reference) { $0 != "uncertain" } == "captured")
        }
        #expect(try await fort.complaints() == [])
    }

    @Test(arguments: FortSignatureType.allCases)
    func anIndependentFORTRefusesAnotherPhrase(type: FortSignatureType) async throws {
        let fort = try await FortInPython(type)
        let other = ["PAYRELAY_FORT_REQUEST_PHRASE": fort.account.responsePhrase.exposed]
        let relay = try await RunningRelay(fort.settings.merging(other) { $1 })
        let answer = try await relay.pay(Orders.body().json)
        #expect(answer.json?["response_code"] == "00008" && answer.outcome != "captured")
        // The relay queries the account before its first charge. FORT signs that refusal, so the account's answers are
        // verified.
        let wrong = ["CHECK_STATUS", "PURCHASE"].map { "\($0): the signature is wrong" }
        #expect(try await fort.complaints() == wrong)
    }

    /// FORT signs the refusal with its own SHA type, too. The refusal proves nothing to the relay, and the reason says what to
    /// correct.
    @Test func aWrongSHATypeChargesNothingAndIsNamed() async throws {
        let fort = try await FortInPython(.sha256)
        let other = ["PAYRELAY_FORT_SIGNATURE_TYPE": FortSignatureType.standard.rawValue]
        let relay = try await RunningRelay(fort.settings.merging(other) { $1 })
        let answer = try await relay.pay(Orders.body().json)
        #expect(answer.status == 503 && answer.json?["type"]?.stringValue?.contains("account-unverified") == true)
        let reason = answer.json?["detail"]?.stringValue ?? ""
        #expect(reason.contains("SHA type") && reason.contains("signature_type"), "\(reason)")
        #expect(Set(try await fort.complaints()) == ["CHECK_STATUS: the signature is wrong"])
    }

    /// Without this test, the absence of complaints would prove nothing.
    @Test func theIndependentFORTReportsEveryViolation() async throws {
        let fort = try await FortInPython(.sha256)
        let relay = try await RunningRelay(fort.settings)
        _ = try await relay.pay(Orders.body().json)
        let paid = try await fort.received()
        let header = try #require(paid["apple_header"]?.objectValue)
        let withData: JSON = .object(
            JSONObject([("apple_applicationData", "a1")] + header.members.map { ($0.name, $0.value) }))
        let turned: JSON = .object(JSONObject(header.members.reversed().map { ($0.name, $0.value) }))
        let long = String(repeating: "1", count: 41)
        let limitViolations: [(change: KeyValuePairs<String, JSON?>, complaint: String)] = [
            (["colour": "red"], "colour is not a parameter of it"),
            (["apple_header": withData], "apple_applicationData is not a parameter of it"),
            (["apple_header": turned], "the signature is wrong"),
            (["apple_paymentMethod": "{}"], "apple_paymentMethod is not an object"),
            (["customer_ip": nil], "customer_ip is missing"),
            (["customer_ip": "localhost"], "customer_ip does not look like one"),
            (["amount": 10_000], "amount is not a string"),
            (["amount": "100.00"], "amount does not look like one"),
            (["merchant_reference": .string(long)], "merchant_reference has 41 characters, 40 are allowed"),
            (["customer_name": " Sara"], "customer_name has spaces around it"),
            (["apple_data": "!"], "apple_data does not look like one"),
            (["apple_signature": paid["apple_data"]], "apple_signature does not look like one"),
            (["merchant_extra": "😀"], "merchant_extra does not look like one"),
            (["access_code": "other"], "the access_code is another's"),
            ([:], "\(paid["merchant_reference"]?.stringValue ?? "") was charged before"),
        ]
        for limitViolation in limitViolations { try await fort.take(fort.signing(paid, with: limitViolation.change)) }
        var unsigned = paid
        unsigned["signature"] = nil
        try await fort.take(unsigned)
        let complaints = limitViolations.map(\.complaint) + ["the signature is wrong"]
        #expect(try await fort.complaints() == complaints.map { "PURCHASE: \($0)" })
    }
}
