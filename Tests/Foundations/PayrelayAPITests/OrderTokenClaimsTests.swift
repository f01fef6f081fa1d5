import PayrelayAPI
import PayrelayPrimitives
import Testing

/// The claims of an order token, and the claims that are refused before they are signed.
@Suite struct OrderTokenClaimsTests {
    private let order = OrderTokenClaims(
        client: "shop", issuedAt: 1_800_000_000, merchantReference: "ORDER-1001", amount: 10_000, currency: "AED")

    @Test("An order token says who issued it for which order, until when")
    func claims() {
        let json: JSON = [
            "aud": "payrelay", "client_id": "shop", "iat": 1_800_000_000, "exp": 1_800_000_300, "command": "PURCHASE",
            "merchant_reference": "ORDER-1001", "amount": 10_000, "currency": "AED",
        ]
        #expect(JSON.object(order.json) == json)
        #expect(order.errors().isEmpty)
    }

    @Test("A member without a value is not a claim, and a member with a value is one")
    func optionalClaims() {
        var order = order
        order.client = nil
        order.command = nil
        order.issuer = "https://shop.example"
        order.scopes = ["payments:read", "payments:create"]
        order.fields = ["merchant_extra": "basket 7", "account": "kwt", "order_description": "طلب / 7"]
        #expect(
            order.json.names == [
                "aud", "iss", "iat", "exp", "scope", "merchant_reference", "amount", "currency", "order_description",
                "account", "merchant_extra",
            ])
        #expect(order.json["scope"] == "payments:read payments:create")
        #expect(order.errors().isEmpty)
    }

    @Test("Everything that is wrong with the claims is named at once")
    func errors() {
        let wrong = OrderTokenClaims(
            issuedAt: 1_800_000_000, lifetime: 3_601, scopes: ["payments:manage"], merchantReference: "",
            amount: 10_000_000_000, currency: "aed", fields: ["colour": "red", "amount": "1", "aud": "x"])
        #expect(
            wrong.errors().map(\.field) == [
                "exp", "merchant_reference", "amount", "currency", "scope", "amount", "aud", "colour",
            ])
    }

    @Test("An amount is 1 to 9999999999 minor units", arguments: [Int.min, -1, 0, 10_000_000_000, .max])
    func amounts(amount: Int) {
        var order = order
        order.amount = amount
        #expect(order.errors().map(\.field) == ["amount"])
    }

    @Test(
        "A token is for a second at least, and for no longer than the relay takes it", arguments: [.min, 0, 61, .max])
    func lifetimes(lifetime: Int) {
        var order = order
        order.lifetime = lifetime
        #expect(order.errors(lifetimeLimit: 60).map(\.field) == ["exp"])
        #expect(!order.json.isEmpty)
    }
}
