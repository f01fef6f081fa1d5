import Foundation
import PayrelayPrimitives
import Testing

@testable import AccessControl

@Suite struct JWTClaimTests {
    private let issuer = Issuer()

    private func fault(_ claims: JSONObject, _ policy: JWTPolicy = JWTPolicy(audience: "payrelay")) async throws
        -> String?
    {
        await (try issuer.verifier(policy)).fault(of: try issuer.es256(claims)).map { "\($0)" }
    }

    @Test func aTokenStatesTheClientAndItsScopes() async throws {
        let client = try await issuer.verifier().authenticate(with: issuer.es256())
        #expect(client == AuthenticatedClient(name: "shop", scopes: [.paymentsCreate, .paymentsRead]))
        let none = try await issuer.verifier().authenticate(with: issuer.es256(Issuer.claims.with(["scope": nil])))
        #expect(none.scopes == [])
        let foreign = try issuer.es256(Issuer.claims.with(["scope": "openid tokens:verify Payments:Read"]))
        #expect(try await issuer.verifier().authenticate(with: foreign).scopes == [.tokensVerify])
    }

    @Test func aTokenEndsWithItsExpiryAndTheClockSkew() async throws {
        let policy = JWTPolicy(audience: "payrelay", clockSkew: .seconds(30))
        let now = 1_800_000_000
        #expect(try await fault(Issuer.claims.with(["exp": JSON(now - 29)]), policy) == nil)
        #expect(try await fault(Issuer.claims.with(["exp": JSON(now - 30)]), policy) == "the token's exp has passed")
        #expect(try await fault(Issuer.claims.with(["exp": nil]), policy) == "the token's exp is missing")
        for value: JSON in ["1800000300", .number("1e400"), true, .null, []] {
            #expect(try await fault(Issuer.claims.with(["exp": value]), policy) != nil)
        }
    }

    @Test func aTokenBeginsWithItsNotBeforeAndTheClockSkew() async throws {
        let policy = JWTPolicy(audience: "payrelay", clockSkew: .seconds(30))
        #expect(try await fault(Issuer.claims.with(["nbf": 1_800_000_030]), policy) == nil)
        #expect(try await fault(Issuer.claims.with(["nbf": 1_800_000_031]), policy) == "the token's nbf has not come")
        #expect(try await fault(Issuer.claims.with(["nbf": .number("1.80000003e9")]), policy) == nil)
        #expect(try await fault(Issuer.claims.with(["nbf": "0"]), policy) != nil)
    }

    @Test func aTokenForAnotherAudienceIsRejected() async throws {
        for audience: JSON? in ["other", ["other"], [], nil, .null, "payrelay.example", ["a", .number("1")]] {
            #expect(try await fault(Issuer.claims.with(["aud": audience])) == "the token's aud is not this service")
        }
        #expect(try await fault(Issuer.claims.with(["aud": ["other", "payrelay"]])) == nil)
    }

    @Test func aTokenOfAnotherIssuerIsRejected() async throws {
        let policy = JWTPolicy(audience: "payrelay", issuer: "https://shop.example")
        #expect(try await fault(Issuer.claims.with(["iss": "https://shop.example"]), policy) == nil)
        for issuer: JSON? in ["https://shop.example/", nil, ["https://shop.example"]] {
            #expect(try await fault(Issuer.claims.with(["iss": issuer]), policy) != nil)
        }
    }

    @Test(arguments: ["", "a b", "a\nb", "a/b", "é", String(repeating: "a", count: 65)])
    func aTokenWithoutAValidClientIsRejected(name: String) async throws {
        #expect(try await fault(Issuer.claims.with(["client_id": .string(name)])) != nil)
        #expect(try await fault(Issuer.claims.with(["client_id": nil])) == "the token's client_id is missing")
    }

    @Test func aKeyPinnedToAClientAuthenticatesNoOther() async throws {
        let policy = JWTPolicy(audience: "payrelay")
        let verifier = JWTVerifier(policy: policy, keys: try issuer.keys(client: "shop"), now: { Issuer.now })
        #expect(await verifier.fault(of: try issuer.es256(Issuer.claims.with(["client_id": "bank"]))) != nil)
        #expect(try await verifier.authenticate(with: issuer.es256()).name == "shop")
        #expect(
            try await verifier.authenticate(with: issuer.es256(Issuer.claims.with(["client_id": nil]))).name == "shop")
    }

    @Test("S15: an order token pins one order") func anOrderTokenPinsOneOrder() async throws {
        let client = try await issuer.verifier().authenticate(with: issuer.es256(Issuer.orderClaims))
        let order = PinnedOrder(merchantReference: "ORDER-1", fields: ["amount": "10000", "currency": "AED"])
        #expect(client == AuthenticatedClient(name: "shop", scopes: [.paymentsCreate, .paymentsRead], order: order))
        #expect(order.fields["merchant_reference"] == "ORDER-1" && order.fields["command"] == nil)
    }

    @Test func anOrderTokenThatNamesACommandPinsItToo() async throws {
        let token = try issuer.es256(Issuer.orderClaims.with(["command": "AUTHORIZATION"]))
        let order = try #require(try await issuer.verifier().authenticate(with: token).order)
        #expect(order.fields["command"] == "AUTHORIZATION")
        for wrong: JSON in ["CAPTURE", "purchase", "", .null, ["PURCHASE"]] {
            #expect(
                try await fault(Issuer.orderClaims.with(["command": wrong]))
                    == "the token's command is neither AUTHORIZATION nor PURCHASE")
        }
        // If only the command were pinned, the phone could choose the order itself.
        #expect(try await fault(Issuer.claims.with(["command": "PURCHASE"])) != nil)
    }

    @Test("S15: an order token pins every order field among its claims, and nothing else")
    func anOrderTokenPinsEveryOrderFieldAmongItsClaims() async throws {
        let policy = JWTPolicy(audience: "payrelay", orderFields: ["account", "statement_descriptor"])
        let claims = Issuer.orderClaims.with([
            "statement_descriptor": "SHOP", "account": "", "colour": 7, "sub": "sara",
        ])
        let order = try #require(try await issuer.verifier(policy).authenticate(with: issuer.es256(claims)).order)
        #expect(
            order.fields == [
                "merchant_reference": "ORDER-1", "amount": "10000", "currency": "AED", "statement_descriptor": "SHOP",
                "account": "",
            ])
        // Without all the claims of an order these claims are not pins: another issuer may use them with another meaning.
        #expect(
            try await issuer.verifier(policy).authenticate(with: issuer.es256(Issuer.claims.with(["account": 7]))).order
                == nil)
    }

    @Test(arguments: [JSON.null, 7, true, ["SHOP"], ["is": "SHOP"]]) func aPinnedFieldThatIsNotATextIsRejectedByName(
        value: JSON
    )
        async throws
    {
        let policy = JWTPolicy(audience: "payrelay", orderFields: ["statement_descriptor"])
        let claims = Issuer.orderClaims.with(["statement_descriptor": value])
        #expect(try await fault(claims, policy) == "the token's statement_descriptor is not a text")
    }

    @Test func aTokenWithTooLongALifetimeIsRejected() async throws {
        let policy = JWTPolicy(
            audience: "payrelay", clockSkew: .seconds(30), lifetimeLimit: .seconds(86_400),
            orderLifetimeLimit: .seconds(3_600))
        let now = 1_800_000_000
        for (claims, limit) in [(Issuer.claims, 86_400), (Issuer.orderClaims, 3_600)] {
            func fault(exp: Int, iat: Int? = nil) async throws -> String? {
                try await self.fault(claims.with(["exp": JSON(exp), "iat": iat.map { JSON($0) }]), policy)
            }
            #expect(try await fault(exp: now + limit) == nil)
            #expect(try await fault(exp: now + limit, iat: now) == nil)
            // The issuer's clock is ahead.
            #expect(try await fault(exp: now + limit + 30, iat: now + 30) == nil)
            let tooFar = "the token's exp is more than \(limit) seconds from now"
            #expect(try await fault(exp: now + limit + 31) == tooFar)
            // Neither an old `iat` nor a future one makes a token live longer.
            #expect(try await fault(exp: now + limit + 31, iat: now - 10 * limit) == tooFar)
            #expect(try await fault(exp: now + 60, iat: now + 31) == "the token's iat has not come")
            #expect(
                try await fault(exp: now + 60, iat: now + 59 - limit)
                    == "the token's exp is more than \(limit) seconds after its iat")
        }
        for wrong: JSON in ["1800000000", .null, .number("1e400")] {
            #expect(
                try await fault(Issuer.claims.with(["iat": wrong]), policy)
                    == "the token's iat is not a number of seconds"
            )
        }
    }

    /// A claim of an order that is `null` does not turn an order's token into a backend's, which may live longer.
    @Test(arguments: ["merchant_reference", "amount", "currency", "command"])
    func anyClaimOfAnOrderMeansTheShorterLifetime(name: String) async throws {
        let policy = JWTPolicy(audience: "payrelay")
        let long = Issuer.claims.with(["exp": JSON(1_800_003_661), "\(name)": .null])
        #expect(try await fault(long, policy) == "the token's exp is more than 3600 seconds from now")
    }

    @Test(
        "S15: an order token pays and reads its order, and its scope can add Apple Pay sessions and nothing else"
    )
    func anOrderTokenIsForPayingAndReadingAlone() async throws {
        let greedy = Issuer.orderClaims.with(["scope": "payments:create payments:manage tokens:verify"])
        #expect(try await issuer.verifier().authenticate(with: issuer.es256(greedy)).scopes == [.paymentsCreate])
    }

    @Test("an order token opens Apple Pay sessions only if its scope says so")
    func anOrderTokenOpensSessionsOnlyByItsScope() async throws {
        for (scope, scopes): (String, Set<Scope>) in [
            ("payments:create sessions:create", [.paymentsCreate, .sessionsCreate]),
            ("sessions:create sdk-tokens:create", [.sessionsCreate]),
            ("payments:create payments:read", [.paymentsCreate, .paymentsRead]), ("", []),
        ] {
            let token = try issuer.es256(Issuer.orderClaims.with(["scope": .string(scope)]))
            #expect(try await issuer.verifier().authenticate(with: token).scopes == scopes)
        }
    }

    @Test(
        "S15: an order token without reference, amount or currency is rejected",
        arguments: ["merchant_reference", "amount", "currency"])
    func anIncompleteOrderTokenIsRejected(member: String) async throws {
        #expect(
            try await fault(Issuer.orderClaims.with(["\(member)": nil]))?.hasPrefix("the token's \(member)") == true)
        #expect(try await fault(Issuer.orderClaims.with(["\(member)": .null])) != nil)
        #expect(try await fault(Issuer.orderClaims.with(["\(member)": ["AED", "10000"]])) != nil)
    }

    @Test(arguments: ["1e4", "10000.0", "-1", "99999999999999999999", "010000", "+10000", "-0", ""])
    func anAmountIsWholeMinorUnits(literal: String) async throws {
        #expect(try await fault(Issuer.orderClaims.with(["amount": .number(literal)])) != nil)
        #expect(try await fault(Issuer.orderClaims.with(["amount": .string(literal)])) != nil)
        #expect(try await fault(Issuer.orderClaims.with(["amount": "10000"])) == nil)
    }
}
