import Foundation
import OutboundHTTP
import PayrelayPrimitives
import Testing

/// Every parameter of FORT's Apple Pay request that an order may have, sent at its documented limit and one character beyond.
@Suite struct FieldLimitTests {
    /// Names and limits from FORT's page "Apple Pay API". The last two are from the guide's tables for the fraud check and the
    /// SDK.
    private static let longest: KeyValuePairs<String, String> = [
        "merchant_reference": UUID().uuidString + "-042",
        "customer_email": String(repeating: "a", count: 64) + "@" + String(repeating: "b", count: 63) + "."
            + String(repeating: "c", count: 63) + "." + String(repeating: "d", count: 61),
        "customer_ip": "0000:0000:0000:0000:0000:ffff:255.255.255.255",
        "order_description": String(repeating: "ف", count: 150),
        "statement_descriptor": String(repeating: "S", count: 50),
        "customer_name": String(repeating: "ن", count: 40),
        "phone_number": String(repeating: "9", count: 19),
        "merchant_extra": String(repeating: "x", count: 999),
        "merchant_extra1": String(repeating: "1", count: 250),
        "merchant_extra2": String(repeating: "2", count: 250),
        "merchant_extra3": String(repeating: "3", count: 250),
        "merchant_extra4": String(repeating: "4", count: 250),
        "merchant_extra5": String(repeating: "5", count: 250),
        "device_fingerprint": String(repeating: "0/+", count: 1_333) + "f",
        "settlement_reference": String(repeating: "-", count: 34),
    ]

    private func order(amount: String = "9999999999", oneMore: Bool = false) throws -> JSONObject {
        var order = try Orders.body(amount: Int(amount) ?? 0)
        order["amount"] = .string(amount)
        order["eci"] = "ECOMMERCE"
        order["recurring_mode"] = "UNSCHEDULED"
        for (name, value) in Self.longest {
            order[name] = .string(oneMore ? value + String(value.suffix(1)) : value)
        }
        return order
    }

    @Test func everyParameterIsTakenAtItsLimitAndReachesFORT() async throws {
        #expect(
            Self.longest.map(\.value.count) == [40, 254, 45, 150, 50, 40, 19, 999, 250, 250, 250, 250, 250, 4_000, 34])
        let relay = try await RunningRelay()
        let answer = try await relay.pay(try order().json)
        #expect(answer.status == 200 && answer.outcome == "captured", "\(answer.json ?? .null)")
        let received = answer.json?["processor_response"]
        for (name, value) in Self.longest where received?[name] != nil {
            #expect(received?[name] == .string(value), "\(name)")
        }
        #expect(received?["amount"] == "9999999999" && received?["merchant_extra"] != nil)
    }

    @Test(.enabled(if: FortInPython.isInstalled))
    func anIndependentFORTGetsEveryParameterAtItsLimit() async throws {
        let fort = try await FortInPython()
        let relay = try await RunningRelay(fort.settings)
        let order = try order()
        #expect(try await relay.pay(order.json).outcome == "captured")
        #expect(try await fort.complaints() == [])
        let received = try await fort.received()
        for member in order.members where member.name != "token" {
            #expect(received[member.name] == member.value, "\(member.name)")
        }
        // The other parameters are not part of an order: the account's names, the constants, the token and the signature.
        let others = received.names.filter { order[$0] == nil && !$0.hasPrefix("apple_") }
        #expect(Set(others) == ["access_code", "merchant_identifier", "digital_wallet", "signature"])
    }

    /// The parameters of the other operations, from their own pages.
    @Test(.enabled(if: FortInPython.isInstalled))
    func operationsTakeTheirParametersAtTheirLimitsAndNotOnePast() async throws {
        let fort = try await FortInPython()
        let relay = try await RunningRelay(fort.settings)
        let reference = Orders.reference()
        _ = try await relay.pay(Orders.body(reference).json)
        let (name, text) = (String(repeating: "r", count: 200), String(repeating: "ف", count: 150))
        let refund: JSONObject = ["amount": 1, "order_description": .string(text)]
        for faulty in ["maintenance_reference": name + "r", "order_description": text + "ف", "language": "eng"] {
            let answer = try await relay.perform(
                reference, "refund", ["amount": 1, "\(faulty.key)": .string(faulty.value)])
            #expect(answer.status == 400 && Set(answer.faultyFields) == [faulty.key])
        }
        let taken = try await relay.post(
            "/v1/payments/\(reference)/refund",
            refund.with(["maintenance_reference": .string(name), "language": "ar"]).encoded())
        #expect(taken.outcome == "partially_refunded")
        #expect(try await fort.received()["maintenance_reference"] == .string(name))

        let device = String(repeating: "f", count: 100)
        for (value, status) in [(device, 200), (device + "f", 400)] {
            let body: JSON = ["device_id": .string(value)]
            #expect(try await relay.post("/v1/sdk-tokens", body.encoded()).status == status)
        }
        #expect(try await fort.complaints() == [])
    }

    @Test(arguments: [("ACCESS_CODE", "access_code"), ("MERCHANT_IDENTIFIER", "merchant_identifier")])
    func anAccountsNameOnePastItsLimitStopsTheStart(setting: String, name: String) async throws {
        let limit = String(repeating: "A", count: 20)
        let sandbox = try await RunningSandbox()
        let relay = try await RunningRelay(sandbox: sandbox, ["PAYRELAY_FORT_\(setting)": limit])
        // The sandbox has another account. The relay only has to start and send.
        #expect(try await relay.pay(Orders.body().json).json?["response_code"] != nil)
        let settings = relay.environment.merging(["PAYRELAY_FORT_\(setting)": limit + "A"]) { $1 }
        let (status, text) = try await RunningProgram.run(["serve"], environment: settings)
        #expect(status == 78 && text.contains("PAYRELAY_FORT_\(setting) must be at most 20 characters"))
    }

    /// FORT's `Mada` is Apple's `mada`: the same network, for which FORT accepts only purchases.
    @Test(arguments: ["mada", "Mada"]) func aMadaCardIsForPurchasesOnly(network: String) async throws {
        let relay = try await RunningRelay()
        let token = try Orders.token().changing(["paymentMethod", "network"]) { _ in network }
        let reference = Orders.reference()
        let order = try Orders.body(reference)
        let refused = try await relay.pay(order.with(["token": token, "command": "AUTHORIZATION"]))
        #expect(refused.status == 400 && refused.faultyFields == ["command"])
        #expect(try await relay.get("/v1/payments/\(reference)").status == 404)
        #expect(try await relay.sandbox.books().isEmpty)
        #expect(try await relay.pay(order.with(["token": token])).outcome == "captured")
        #expect(try await relay.metric(#"payrelay_fort_token_limit_violations_total{field="apple_network"}"#) ?? 0 == 0)
    }

    @Test func aMadaCardIsAuthorizedIfTheAccountsSettingSaysSo() async throws {
        let relay = try await RunningRelay(["PAYRELAY_FORT_AUTHORIZE_MADA": "true"])
        let token = try Orders.token().changing(["paymentMethod", "network"]) { _ in "mada" }
        let answer = try await relay.pay(Orders.body().with(["token": token, "command": "AUTHORIZATION"]))
        // The sandbox has a separate account, without the setting.
        #expect(answer.outcome == "declined" && answer.json?["response_code"] == "03049")
    }

    /// `payment_option` and `token_name` are in FORT's table of the Apple Pay SDK.
    @Test func anOrderMayRestrictItsCardAndNameAStoredOne() async throws {
        let relay = try await RunningRelay()
        let other = try await relay.pay(Orders.body().with(["payment_option": "MASTERCARD"]))
        #expect(other.status == 400 && other.faultyFields == ["payment_option"])
        let first = try await relay.pay(
            Orders.body().with(["payment_option": "VISA", "recurring_mode": "UNSCHEDULED"]))
        let name = try #require(first.json?["token_name"])
        #expect(first.outcome == "captured")
        #expect(try await relay.pay(Orders.body().with(["token_name": name])).outcome == "captured")
        let unknown = try await relay.pay(Orders.body().with(["token_name": "no-such-card"]))
        #expect(unknown.outcome == "declined" && unknown.json?["response_code"] == "13044")
    }

    @Test func everyParameterOnePastItsLimitIsNamedAndNothingIsSent() async throws {
        let relay = try await RunningRelay()
        var order = try order(oneMore: true)
        order["amount"] = "99999999990"
        for (name, value) in [
            ("command", "PURCHASES"), ("currency", "AEDS"), ("language", "eng"), ("eci", "ECOMMERCES"),
            ("recurring_mode", "UNSCHEDULEDS"),
        ] { order[name] = .string(value) }
        let all = try await relay.pay(order.json)
        #expect(all.status == 400)
        let names = Self.longest.map(\.key) + ["amount", "command", "currency", "language", "eci", "recurring_mode"]
        #expect(Set(all.faultyFields) == Set(names))
        for (name, value) in Self.longest {
            let one = try await relay.pay(try Orders.body().with([name: .string(value + String(value.suffix(1)))]))
            #expect(one.status == 400 && one.faultyFields == [name])
        }
        #expect(try await relay.sandbox.books().isEmpty)
    }
}
