import Foundation
import OrderedJSON
import OutboundHTTP
import TestPrograms
import Testing

/// A phone with an order token pays exactly that order and does nothing else.
@Suite struct OrderTokenTests {
    private let issuer = TokenIssuer()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func relay(_ settings: [String: String] = [:]) async throws -> RunningRelay {
        try await RunningRelay(["PAYRELAY_JWT_KEYS_FILE": issuer.file(in: folder)].merging(settings) { $1 })
    }

    @Test func itPaysItsOrderAndLooksAtIt() async throws {
        let backend = try await GeneratedKey("shop")
        let relay = try await relay(["PAYRELAY_API_KEYS": backend.line])
        let reference = Orders.reference()
        let token = try issuer.orderToken(reference)
        let order = try Orders.body(reference)
        let paid = try await relay.pay(order.json, bearing: token)
        #expect(paid.outcome == "captured")
        #expect(try await relay.pay(order.json, bearing: token).body == paid.body)
        #expect(try await relay.get("/v1/payments/\(reference)", headers: bearer(token)).outcome == "captured")
        // The payment is the client's, whose backend looks after it.
        #expect(try await relay.get("/v1/payments/\(reference)", headers: bearer(backend.key)).outcome == "captured")
    }

    @Test func anotherOrderIsRefusedByName() async throws {
        let relay = try await relay()
        let reference = Orders.reference()
        let order = try Orders.body(reference)
        let others: [(token: String, names: [String])] = [
            (try issuer.orderToken(reference, amount: 9_999), ["amount"]),
            (try issuer.orderToken(reference, currency: "USD"), ["currency"]),
            (try issuer.orderToken("\(reference) "), ["merchant_reference"]),
            (try issuer.orderToken("x", amount: 1, currency: "SAR"), ["merchant_reference", "amount", "currency"]),
        ]
        for (token, names) in others {
            let answer = try await relay.pay(order.json, bearing: token)
            #expect(answer.status == 403 && answer.problem == "other-order" && answer.faultyFields == names)
        }
        #expect(try await relay.sandbox.books().isEmpty)
        #expect(try await relay.pay(order.json, bearing: issuer.orderToken(reference)).outcome == "captured")
    }

    @Test func whereItPinsTheCommandAnAuthorizationIsNoPurchase() async throws {
        let relay = try await relay()
        let reference = Orders.reference()
        let token = try issuer.token([
            "merchant_reference": .string(reference), "amount": 10_000, "currency": "AED", "command": "AUTHORIZATION",
        ])
        let order = try Orders.body(reference)
        let purchase = try await relay.pay(order.json, bearing: token)
        #expect(purchase.status == 403 && purchase.problem == "other-order" && purchase.faultyFields == ["command"])
        #expect(try await relay.sandbox.books().isEmpty)
        let authorization = order.with(["command": "AUTHORIZATION"])
        #expect(try await relay.pay(authorization, bearing: token).outcome == "authorized")
    }

    @Test func itDoesNothingElse() async throws {
        let relay = try await relay()
        let reference = Orders.reference()
        let token = try issuer.orderToken(reference)
        _ = try await relay.pay(try Orders.body(reference).json, bearing: token)
        let neighbour = Orders.reference()
        _ = try await relay.pay(try Orders.body(neighbour).json, bearing: issuer.orderToken(neighbour))
        for verb in ["sync", "capture", "void", "refund"] {
            let answer = try await relay.post(
                "/v1/payments/\(reference)/\(verb)", Array("{}".utf8), headers: bearer(token))
            #expect(answer.status == 403, "\(verb)")
        }
        for path in ["/v1/tokens/verify", "/v1/sdk-tokens"] {
            #expect(try await relay.post(path, Array("{}".utf8), headers: bearer(token)).status == 403)
        }
        #expect(try await relay.get("/v1/payments/\(neighbour)", headers: bearer(token)).status == 404)
        let greedy = try issuer.token([
            "merchant_reference": .string(reference), "amount": 10_000, "currency": "AED",
            "scope": "payments:manage payments:read tokens:verify",
        ])
        let refund = try await relay.post("/v1/payments/\(reference)/refund", Array("{}".utf8), headers: bearer(greedy))
        #expect(refund.status == 403)
    }

    @Test func aForgedOrExpiredTokenIsNone() async throws {
        let relay = try await relay()
        let now = Int(Date().timeIntervalSince1970)
        let reference = Orders.reference()
        let pins: JSONObject = ["merchant_reference": .string(reference), "amount": 10_000, "currency": "AED"]
        let order = try Orders.body(reference)
        let forged = [
            try issuer.token(pins.with(["exp": JSON(now - 61)]).objectValue ?? [:]),
            try issuer.token(pins.with(["nbf": JSON(now + 120)]).objectValue ?? [:]),
            try issuer.token(pins.with(["aud": "other"]).objectValue ?? [:]),
            try issuer.token(pins, alg: "none"), try issuer.token(pins, alg: "HS256"),
            try TokenIssuer().token(pins), try TokenIssuer("k2").token(pins),
            try issuer.token(pins.with(["amount": nil]).objectValue ?? [:]),
            try issuer.token(pins.with(["x": .string(String(repeating: "x", count: 9_000))]).objectValue ?? [:]),
        ]
        for token in forged {
            let answer = try await relay.pay(order.json, bearing: token)
            #expect(answer.status == 401 && answer.problem == "not-authenticated")
        }
        #expect(try await relay.sandbox.books().isEmpty)
        #expect(try await relay.pay(order.json, bearing: issuer.token(pins)).outcome == "captured")
        for token in forged { #expect(!relay.program.text.contains(token.suffix(40))) }
    }
}
