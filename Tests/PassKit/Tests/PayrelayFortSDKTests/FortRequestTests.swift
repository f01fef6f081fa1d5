import FortDocuments
import Foundation
import PayrelayAPI
import PayrelayPrimitives
import Testing

@testable import PayrelayFortSDK

@Suite struct FortRequestTests {
    /// The request of the sample in FORT's documents, with an order token.
    static let sample = [
        "amount": "10000", "command": "AUTHORIZATION", "currency": "USD", "customer_email": "email@domain.com",
        "language": "en", "merchant_reference": "merchant", "sdk_token": "eyJhbGciOi.J9.x-_1",
        "digital_wallet": "APPLE_PAY",
    ]

    private func errors(_ request: [AnyHashable: Any]) -> [String] {
        do throws(ValidationErrors) {
            _ = try FortRequest(request)
            return []
        } catch {
            return error.errors.map(\.description)
        }
    }

    private func errors(_ changes: [String: Any?]) -> [String] {
        var request: [AnyHashable: Any] = Self.sample
        for (name, value) in changes { request[name] = value }
        return errors(request)
    }

    @Test("FORT's sample is an order, and sdk_token its order token")
    func theSample() throws {
        let request = try FortRequest(Self.sample)
        #expect(
            request.order
                == Order(
                    "merchant", amount: 10_000, currency: .USD, command: .authorization,
                    customerEmail: "email@domain.com"))
        #expect(request.orderToken == "eyJhbGciOi.J9.x-_1")
        #expect(!"\(request)".contains("eyJ"))
        #expect(!String(reflecting: request).contains("eyJ"))
    }

    @Test(
        "Every parameter in FORT's tables of the SDK's operations is sent on or refused with a reason, and none is unknown",
        .enabled(if: SharedDocuments.areThere),
        arguments: FortDocument.requests.filter { !$0.rawValue.hasSuffix("5.4.1") })
    func everyDocumentedField(document: FortDocument) throws {
        // Apple's parameters come from the token and the sheet.
        for field in try document.table().fields where !field.name.hasPrefix("apple_") {
            let errors = errors([field.name: Self.sample[field.name] ?? field.values.first ?? "1"])
            #expect(errors.allSatisfy { $0.contains(" is not sent: ") }, "\(field.name): \(errors)")
            // The relay demands what FORT demands of an operation, except for parameters that the relay has or fills in.
            guard document == .sdkRequest, field.isMandatory == true, field.name != "customer_ip" else { continue }
            #expect(self.errors([field.name: nil as Any?]) == ["\(field.name) is required"])
        }
    }

    @Test("The last fields of FORT's table are sent, and the order token decides whether the app may choose them")
    func theLastOfTheTable() throws {
        var request: [AnyHashable: Any] = Self.sample
        request["settlement_reference"] = "XYZ9239-yu898"
        request["payment_option"] = "VISA"
        request["token_name"] = "Op9Vmp"
        let order = try FortRequest(request).order
        #expect(order.settlementReference == "XYZ9239-yu898")
        #expect(order.paymentOption == "VISA" && order.tokenName == "Op9Vmp")
    }

    @Test("Every field that is missing is named")
    func missingFields() {
        #expect(errors([AnyHashable: Any]()) == Self.sample.keys.sorted().map { "\($0) is required" })
    }

    @Test("Every wrong field is named, and no value is repeated")
    func wrongFields() {
        for (name, value, detail) in [
            ("amount", "100.00", "must be 1 to 10 digits of minor units"),
            ("amount", "-1", "must be 1 to 10 digits of minor units"),
            ("amount", "٣", "must be 1 to 10 digits of minor units"),
            ("amount", 10_000, "must be a text"), ("amount", "", "is required"),
            ("command", "CAPTURE", "must be AUTHORIZATION or PURCHASE"), ("language", "EN", "must be en or ar"),
            ("currency", "usd", "must be a currency of ISO 4217"), ("digital_wallet", "VISA", "must be APPLE_PAY"),
            ("sdk_token", "a b", "must be an order token"), ("sdk_token", "a\r\nX: y", "must be an order token"),
            ("sdk_token", String(repeating: "x", count: 8_193), "must be an order token"),
            ("customer_name", ["Sara"], "must be a text"),
            ("customer_name", String(repeating: "x", count: 20_000), "must be a text"),
            ("pay_now", "1", "is not a field of FORT's"), ("token", "{}", "is not a field of FORT's"),
            ("customer_Email", "x", "is not a field of FORT's"),
            ("remember_me", "YES", "is not sent: recurring_mode UNSCHEDULED has FORT store the card"),
            ("signature", "x", "is not sent: the relay signs"),
        ] as [(String, Any, String)] {
            #expect(errors([name: value]) == ["\(name) \(detail)"])
        }
        #expect(errors(["amount": "x", "language": "x"]).count == 2)
    }

    @Test("A key of another kind is an error, and a hostile one is not repeated")
    func hostileKeys() {
        var request: [AnyHashable: Any] = Self.sample
        request[7] = "x"
        request["\u{1B}[2J\n"] = "x"
        request[String(repeating: "k", count: 1_000)] = "x"
        let hostile = "a key that is not a field's name is not a field of FORT's"
        #expect(errors(request) == [hostile, hostile, "request has a key that is not a text"])
    }

    @Test("An empty text of an optional field is as good as none, as in FORT's samples")
    func emptyFields() {
        #expect(errors(["payment_option": "", "token_name": "", "customer_name": ""]) == [])
    }
}
