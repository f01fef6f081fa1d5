import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// A phone with an order token pays exactly that order and does nothing else.
@Suite struct OrderTokenTests {
    private let issuer = TokenIssuer()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func relay(_ settings: [String: String] = [:], config: String? = nil) async throws -> RunningRelay {
        try await RunningRelay(
            config: config, ["PAYRELAY_JWT_KEYS_FILE": issuer.file(in: folder)].merging(settings) { $1 })
    }

    @Test func anOrderTokenPaysAndReadsItsOrder() async throws {
        let backend = try await GeneratedKey("shop")
        let relay = try await relay(["PAYRELAY_API_KEYS": backend.line])
        let reference = Orders.reference()
        let token = try issuer.orderToken(reference)
        let order = try Orders.phoneBody(reference)
        let paid = try await relay.pay(order.json, bearing: token)
        #expect(paid.outcome == "captured", "\(paid.json ?? .null)")
        let replay = try await relay.pay(order.json, bearing: token)
        #expect(replay.body == paid.body && replay.header("Idempotent-Replayed") == "true")
        #expect(try await relay.get("/v1/payments/\(reference)", headers: bearer(token)).outcome == "captured")
        // The payment belongs to the token's client.
        #expect(try await relay.get("/v1/payments/\(reference)", headers: bearer(backend.key)).outcome == "captured")
    }

    @Test("S15: an order token pays no other order")
    func anotherOrderIsRefusedWithTheNamesOfItsFields() async throws {
        let relay = try await relay()
        let reference = Orders.reference()
        let order = try Orders.phoneBody(reference)
        let others: [(token: String, names: Set<String>)] = [
            (try issuer.orderToken(reference, amount: 9_999), ["amount"]),
            (try issuer.orderToken(reference, currency: "USD"), ["currency"]),
            (try issuer.orderToken("\(reference) "), ["merchant_reference"]),
            (try issuer.orderToken("x", amount: 1, currency: "SAR"), ["merchant_reference", "amount", "currency"]),
            (try issuer.orderToken(reference, claims: ["command": "AUTHORIZATION"]), ["command"]),
            (try issuer.orderToken(reference, claims: ["language": "ar"]), ["language"]),
        ]
        for (token, names) in others {
            let answer = try await relay.pay(order.json, bearing: token)
            #expect(answer.status == 403 && answer.problem == "other-order" && Set(answer.faultyFields) == names)
        }
        #expect(try await relay.sandbox.books().isEmpty)
        #expect(try await relay.pay(order.json, bearing: issuer.orderToken(reference)).outcome == "captured")
    }

    /// The test sends every field that only the merchant may choose, one by one and then all at once.
    @Test("S15: an order token lets a phone choose nothing but the customer's own fields")
    func aPhoneChoosesNothingButTheCustomersOwnFields() async throws {
        let relay = try await relay()
        let reference = Orders.reference()
        let token = try issuer.orderToken(reference)
        let order = try Orders.phoneBody(reference)
        let merchants: JSONObject = [
            "account": "default", "customer_ip": "192.0.2.10", "eci": "ECOMMERCE", "order_description": "Free",
            "statement_descriptor": "NOT-THE-SHOP", "recurring_mode": "UNSCHEDULED", "merchant_extra": "x",
            "merchant_extra1": "x", "merchant_extra2": "x", "merchant_extra3": "x", "merchant_extra4": "x",
            "merchant_extra5": "x", "settlement_reference": "x", "token_name": "x", "payment_option": "VISA",
            "access_code": "x", "colour": "red",
        ]
        for member in merchants.members {
            let answer = try await relay.pay(order.with([member.name: member.value]), bearing: token)
            #expect(answer.status == 403 && answer.problem == "other-order", "\(member.name)")
            #expect(answer.faultyFields == [member.name])
        }
        var all = order
        for member in merchants.members { all[member.name] = member.value }
        let refused = try await relay.pay(all.json, bearing: token)
        #expect(refused.status == 403 && Set(refused.faultyFields) == Set(merchants.names))
        #expect(try await relay.sandbox.books().isEmpty)

        let customers: JSONObject = [
            "customer_name": "Sara", "phone_number": "+971501234567", "device_fingerprint": "0400/+hQ==",
            "language": "ar", "customer_email": "other@example.com",
        ]
        var own = order
        for member in customers.members { own[member.name] = member.value }
        #expect(try await relay.pay(own.json, bearing: token).outcome == "captured")
    }

    @Test func aPinnedFieldIsSentEvenIfThePhoneOmitsIt() async throws {
        let backend = try await GeneratedKey("shop")
        let relay = try await relay(["PAYRELAY_API_KEYS": backend.line])
        let reference = Orders.reference()
        let token = try issuer.orderToken(
            reference,
            claims: ["statement_descriptor": "SHOP-1", "merchant_extra": "basket 7", "customer_ip": "198.51.100.7"])
        let short = try Orders.phoneBody(reference).filter {
            !["merchant_reference", "amount", "currency", "command"].contains($0.name)
        }
        let paid = try await relay.pay(short.json, bearing: token)
        #expect(paid.outcome == "captured", "\(paid.json ?? .null)")
        let seen = try await relay.get("/v1/payments/\(reference)", headers: bearer(backend.key)).json
        let sent = seen?["processor_response"]
        #expect(sent?["statement_descriptor"] == "SHOP-1" && sent?["merchant_extra"] == "basket 7")
        #expect(sent?["customer_ip"] == "198.51.100.7" && sent?["amount"] == "10000")
        // With or without the pinned fields, the request is the same. With another Apple token it is another request.
        let long = short.with([
            "merchant_reference": .string(reference), "amount": 10_000, "currency": "AED", "command": "PURCHASE",
            "statement_descriptor": "SHOP-1",
        ])
        let replay = try await relay.pay(long, bearing: token)
        #expect(replay.body == paid.body && replay.header("Idempotent-Replayed") == "true")
        let other = try await relay.pay(short.json, bearing: issuer.orderToken(reference))
        #expect(other.status == 422 && other.problem == "reference-taken")
    }

    @Test("a phone gets no host, no port and no library's text, and a backend gets the reason")
    func whatTheNetworkSaysIsNotForPhones() async throws {
        let backend = try await GeneratedKey("shop")
        let dead = try LoopbackSocket()
        let unreachable = try await relay([
            "PAYRELAY_API_KEYS": backend.line,
            "PAYRELAY_FORT_ENDPOINT": "http://127.0.0.1:\(dead.port)/FortAPI/paymentApi",
        ])
        let reference = Orders.reference()
        let order = try Orders.phoneBody(reference).json
        let phone = try await unreachable.pay(order, bearing: issuer.orderToken(reference))
        #expect(phone.status == 503 && phone.problem == "processor-unreachable" && phone.header("Retry-After") != nil)
        #expect(phone.json?["detail"] == "This request charged nothing. Retry the same request.")
        let other = try await unreachable.pay(Orders.phoneBody(Orders.reference()).json, bearing: backend.key)
        #expect(other.json?["detail"]?.stringValue?.contains("\(dead.port)") == true, "\(other.json ?? .null)")

        let open = try await relay(["PAYRELAY_API_KEYS": backend.line])
        let token = try issuer.orderToken(reference, amount: 15_777)
        let body = try Orders.phoneBody(reference, amount: 15_777).json
        let uncertain = try await open.pay(body, bearing: token)
        #expect(uncertain.outcome == "uncertain" && uncertain.json?["reason"] == nil)
        #expect(try await open.pay(body, bearing: token).body == uncertain.body)
        #expect(try await open.get("/v1/payments/\(reference)", headers: bearer(token)).json?["reason"] == nil)
    }

    /// FORT's fraud check gets the peer's address, not an address from the request.
    @Test("S15: with an order token customer_ip is the address of the peer")
    func customerIPIsThePeersAddress() async throws {
        let backend = try await GeneratedKey("shop")
        let relay = try await relay(["PAYRELAY_API_KEYS": backend.line])
        let reference = Orders.reference()
        let order = try Orders.phoneBody(reference)
        _ = try await relay.pay(order.json, bearing: issuer.orderToken(reference))
        let seen = try await relay.get("/v1/payments/\(reference)", headers: bearer(backend.key)).json
        #expect(seen?["processor_response"]?["customer_ip"] == "127.0.0.1")
    }

    @Test func aPinThatFORTWouldRefuseIsNamedAndNothingIsSent() async throws {
        let relay = try await relay()
        let reference = Orders.reference()
        let long = String(repeating: "S", count: 51)
        let token = try issuer.orderToken(
            reference, claims: ["statement_descriptor": .string(long), "account": "nowhere"])
        let answer = try await relay.pay(try Orders.phoneBody(reference).json, bearing: token)
        #expect(answer.status == 400 && Set(answer.faultyFields) == ["statement_descriptor", "account"])
        for (name, value) in [("statement_descriptor", JSON.number("7")), ("account", .bool(true)), ("amount", "1.0")] {
            let token = try issuer.orderToken(reference, claims: JSONObject([(name, value)]))
            let answer = try await relay.pay(try Orders.phoneBody(reference).json, bearing: token)
            #expect(answer.status == 401 && answer.json?["detail"]?.stringValue?.contains(name) == true)
        }
        #expect(try await relay.sandbox.books().isEmpty)
    }

    @Test("S15: an order token without a command pays nothing")
    func anOrderTokenWithoutACommandPaysNothing() async throws {
        let relay = try await relay()
        let reference = Orders.reference()
        let token = try issuer.orderToken(reference, claims: ["command": .null])
        for command in ["PURCHASE", "AUTHORIZATION"] {
            let order = try Orders.phoneBody(reference).with(["command": .string(command)])
            let answer = try await relay.pay(order, bearing: token)
            #expect(answer.status == 403 && answer.faultyFields == ["command"])
            #expect(answer.json?["errors"]?.arrayValue?.first?["detail"]?.stringValue?.contains("pinned") == true)
        }
        #expect(try await relay.sandbox.books().isEmpty)
        let pinned = try issuer.orderToken(reference, claims: ["command": "AUTHORIZATION"])
        let authorization = try Orders.phoneBody(reference).with(["command": "AUTHORIZATION"])
        #expect(try await relay.pay(authorization, bearing: pinned).outcome == "authorized")
    }

    /// FORT's answer names the merchant's account and is signed with its phrase. No route and no operation shows these to a
    /// phone.
    @Test func anOrderTokenShowsNothingOfTheMerchantsAccount() async throws {
        let backend = try await GeneratedKey("shop")
        let relay = try await relay(["PAYRELAY_API_KEYS": backend.line])
        let reference = Orders.reference()
        let token = try issuer.orderToken(reference, claims: ["merchant_extra": "margin-42"])
        let order = try Orders.phoneBody(reference)
        let path = "/v1/payments/\(reference)"
        let paid = try await relay.pay(order.json, bearing: token)
        let refund: JSON = ["amount": 1_000, "maintenance_reference": "ticket-99"]
        let refunded = try await relay.post("\(path)/refund", refund.encoded(), headers: bearer(backend.key))
        #expect(refunded.outcome == "partially_refunded")

        let backends = try await relay.get(path, headers: bearer(backend.key))
        #expect(backends.json?["processor_response"]?["fort_id"] != nil)
        // With FORT's signature, any client could write feedback that seems to be signed by FORT.
        for name in ["access_code", "merchant_identifier", "signature"] {
            #expect(backends.json?["processor_response"]?[name] == nil)
        }
        let phones = try await relay.get(path, headers: bearer(token))
        let answers = [paid, try await relay.pay(order.json, bearing: token), phones]
        for answer in answers {
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(answer.status == 200)
            for secret in [
                "processor_response", "signature", "access_code", "merchant_identifier", "margin-42", "ticket-99",
                relay.environment["PAYRELAY_FORT_ACCESS_CODE"] ?? "?",
                relay.environment["PAYRELAY_FORT_MERCHANT_IDENTIFIER"] ?? "?",
            ] { #expect(!text.contains(secret), "\(secret) in \(text)") }
            #expect(answer.json?["fort_id"] != nil && answer.json?["response_code"] == "14000")
        }
        #expect(answers[0].body == answers[1].body)
        #expect(phones.json?["operations"]?.arrayValue?.first?["outcome"] == "partially_refunded")
        #expect(phones.json?["history"]?.arrayValue?.count == 4)
    }

    @Test("S7: an order token opens no other route and no other payment")
    func anOrderTokenOpensNoOtherRouteOrPayment() async throws {
        let relay = try await relay()
        let reference = Orders.reference()
        let token = try issuer.orderToken(reference)
        _ = try await relay.pay(try Orders.phoneBody(reference).json, bearing: token)
        let neighbour = Orders.reference()
        _ = try await relay.pay(try Orders.phoneBody(neighbour).json, bearing: issuer.orderToken(neighbour))
        for verb in ["sync", "capture", "void", "refund"] {
            let answer = try await relay.post(
                "/v1/payments/\(reference)/\(verb)", Array("{}".utf8), headers: bearer(token))
            #expect(answer.status == 403, "\(verb)")
        }
        for path in ["/v1/tokens/verify", "/v1/sdk-tokens", "/v1/apple-pay/sessions"] {
            #expect(try await relay.post(path, Array("{}".utf8), headers: bearer(token)).status == 403)
        }
        #expect(try await relay.get("/v1/payments/\(neighbour)", headers: bearer(token)).status == 404)
        let greedy = try issuer.orderToken(
            reference, claims: ["scope": "payments:manage payments:read tokens:verify"])
        let refund = try await relay.post("/v1/payments/\(reference)/refund", Array("{}".utf8), headers: bearer(greedy))
        #expect(refund.status == 403)
    }

    /// Idempotency keys belong to the client. A phone that guesses a key must not block its client.
    @Test("S14: an order token uses up no idempotency key of its client")
    func anOrderTokenRecordsNoIdempotencyKey() async throws {
        let backend = try await GeneratedKey("shop")
        let relay = try await relay(["PAYRELAY_API_KEYS": backend.line])
        let reference = Orders.reference()
        let order = try Orders.phoneBody(reference).json
        let paid = try await relay.pay(order, bearing: issuer.orderToken(reference), idempotencyKey: "next-one")
        #expect(paid.outcome == "captured")
        let shops = try await relay.pay(try Orders.body().json, bearing: backend.key, idempotencyKey: "next-one")
        #expect(shops.outcome == "captured")
        let malformed = try await relay.pay(order, bearing: issuer.orderToken(reference), idempotencyKey: "a b")
        #expect(malformed.status == 400)
    }

    @Test func aForgedOrExpiredOrderTokenIsRefused() async throws {
        let relay = try await relay()
        let now = Int(Date().timeIntervalSince1970)
        let reference = Orders.reference()
        let pins: JSONObject = [
            "merchant_reference": .string(reference), "amount": 10_000, "currency": "AED", "command": "PURCHASE",
        ]
        let order = try Orders.phoneBody(reference)
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

    @Test func aJWTBeyondTheLifetimeLimitIsRefused() async throws {
        let relay = try await relay(["PAYRELAY_JWT_LIFETIME_SECONDS_MAX": "7200"])
        let now = Int(Date().timeIntervalSince1970)
        let reference = Orders.reference()
        func statuses(_ claims: JSONObject) async throws -> [Int] {
            let phones = try issuer.orderToken(reference, claims: claims)
            var all = claims
            all["scope"] = "payments:read"
            let backends = try issuer.token(all)
            var statuses: [Int] = []
            for token in [phones, backends] {
                statuses.append(try await relay.get("/v1/payments/\(reference)", headers: bearer(token)).status)
            }
            return statuses
        }
        // By default, a token for an order lives for at most an hour, and here other tokens for at most two. The status 404
        // means that the token was accepted.
        #expect(try await statuses(["exp": JSON(now + 1_800)]) == [404, 404])
        #expect(try await statuses(["exp": JSON(now + 4_000)]) == [401, 404])
        #expect(try await statuses(["exp": JSON(now + 8_000)]) == [401, 401])
        #expect(try await statuses(["exp": JSON(now + 4_000), "iat": JSON(now - 100_000)]) == [401, 401])
        #expect(try await statuses(["exp": JSON(now + 1_800), "iat": JSON(now + 600)]) == [401, 401])
    }

    @Test(arguments: [
        "PAYRELAY_JWT_LIFETIME_SECONDS_MAX", "PAYRELAY_JWT_ORDER_LIFETIME_SECONDS_MAX", "PAYRELAY_ANSWER_AFTER_SECONDS",
    ])
    func aLimitOfZeroStopsTheStart(setting: String) async throws {
        let (status, text) = try await RunningRelay.start(refusing: [setting: "0"])
        #expect(status == 78 && text.contains("\(setting) must be a number of seconds from"))
    }
}
