import AccessControl
import FortAPI
import FortModule
import HTTPTypes
import PaymentRelay
import PayrelayAPI
import PayrelayPrimitives
import Testing

@testable import RelayServer

/// The fields that a phone may send for an order that its token pins.
@Suite struct OrderTokenRuleTests {
    private static let pins = ["amount": "10000", "currency": "AED", "command": "PURCHASE"]

    private func rule(_ more: [String: String] = [:]) -> OrderTokenRule {
        OrderTokenRule(
            order: PinnedOrder(merchantReference: "ORDER-1", fields: Self.pins.merging(more) { $1 }),
            fields: FortModule.orderFields)
    }

    private static let body: JSONObject = [
        "merchant_reference": "ORDER-1", "amount": 10_000, "currency": "AED", "command": "PURCHASE",
        "customer_email": "sara@example.com", "language": "en", "token": ["paymentData": "x"],
    ]

    private func refusal(_ body: JSONObject, _ rule: OrderTokenRule) throws -> [String: String] {
        let problem = try #require(throws: Problem.self) { try rule.held(.object(body)) }
        #expect(problem.kind == .otherOrder && problem.status.code == 403)
        return Dictionary(uniqueKeysWithValues: problem.errors.map { ($0.field, $0.detail) })
    }

    @Test func acceptsThePinnedOrder() throws {
        #expect(try rule().held(.object(Self.body)) == .object(Self.body))
        var digits = Self.body
        digits["amount"] = "10000"
        #expect(try rule().held(.object(digits)) == .object(digits))
    }

    /// S15: FORT gets exactly the bytes that the merchant's backend chose.
    @Test(arguments: [("K", "\u{212A}"), ("\u{E9}", "e\u{301}"), ("\u{C5}", "\u{212B}")])
    func comparesTextByBytes(pinned: String, sent: String) throws {
        var body = Self.body
        body["order_description"] = .string(sent)
        #expect(try refusal(body, rule(["order_description": pinned])).keys.contains("order_description"))
        body["order_description"] = .string(pinned)
        #expect(try rule(["order_description": pinned]).held(.object(body)) == .object(body))
    }

    @Test func fillsInPinnedFields() throws {
        let held = try rule(["statement_descriptor": "SHOP", "account": "uae"]).held(["language": "en"])
        for (name, text) in Self.pins { #expect(held[name] == .string(text)) }
        #expect(held["merchant_reference"] == "ORDER-1" && held["statement_descriptor"] == "SHOP")
        #expect(held["account"] == "uae" && held["language"] == "en")
    }

    /// The customer's own fields are those that no merchant decides on. A field that FORT adds later is not one of them.
    @Test(
        "S15: every field that the order token does not pin is refused by name",
        arguments: FortField.ofOrder.map(\.name) + ["account", "colour", ""]) func refusesEveryOtherFieldByName(
            name: String
        ) throws
    {
        var body = Self.body
        body[name] = body[name] ?? "x"
        let own: Set = ["customer_email", "customer_name", "phone_number", "language", "device_fingerprint"]
        if own.contains(name) || Self.pins[name] != nil || name == "merchant_reference" {
            #expect(try rule().held(.object(body))[name] == body[name])
        } else {
            for value: JSON in ["x", "", 7, .null] {
                body[name] = value
                #expect(try refusal(body, rule()) == [name: "is not allowed with an order token"])
            }
        }
    }

    @Test(arguments: OrderTokenRule.claims(orderFields: FortField.ofOrder.map(\.name))) func pinsEveryField(
        name: String
    ) throws {
        let rule = rule([name: "1"])
        var body = Self.body
        body[name] = "1"
        if name == "merchant_reference" { body[name] = "ORDER-1" }
        #expect(try rule.held(.object(body)) == .object(body))
        for other: JSON in ["2", "", "1 ", .null, ["1"]] {
            body[name] = other
            #expect(try refusal(body, rule) == [name: "is not what the order token says"])
        }
    }

    @Test(arguments: ["1e4", "10000.0", "010000", "9999", "-10000"]) func comparesAmountsByDigits(
        literal: String
    ) throws {
        var body = Self.body
        body["amount"] = .number(literal)
        #expect(try refusal(body, rule()) == ["amount": "is not what the order token says"])
    }

    @Test func namesAllWrongFieldsAtOnce() throws {
        var body = Self.body
        for (name, value) in [("amount", "1"), ("currency", "USD"), ("account", "x"), ("customer_ip", "192.0.2.1")] {
            body[name] = .string(value)
        }
        #expect(
            Set(try refusal(body, rule()).keys) == ["amount", "currency", "account", "customer_ip"])
    }

    @Test func refusesATokenWithoutACommand() throws {
        let open = OrderTokenRule(
            order: PinnedOrder(merchantReference: "ORDER-1", fields: ["amount": "10000", "currency": "AED"]),
            fields: FortModule.orderFields)
        for body in [
            Self.body, JSONObject(Self.body.members.filter { $0.name != "command" }.map { ($0.name, $0.value) }),
        ] {
            let faults = try refusal(body, open)
            #expect(faults.keys.sorted() == ["command"])
            #expect(faults["command"]?.contains("must be pinned by the order token") == true)
        }
    }

    @Test func namesTheFirstHundredOfMany() throws {
        let body = JSONObject((1...5_000).map { ("f\($0)", JSON.null) })
        #expect(try refusal(body, rule()).count == 100)
    }

    @Test func leavesOtherJSONToTheReader() throws {
        #expect(try rule().held(["x"]) == ["x"])
    }
}
