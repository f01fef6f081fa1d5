import FortAPI
import Foundation
import PayrelayAPI
import PayrelayPrimitives
import Testing

@testable import AccessControl
@testable import Composition

/// The relay reads the claims that the library writes.
@Suite struct OrderTokenAgreementTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private let pair: JWTKeyPair
    private let policy = JWTPolicy(audience: "payrelay", orderFields: OrderTokenVerdict.pinning)

    init() throws { pair = try JWTKeyPair(.es256, named: "k1", client: "shop") }

    private func claims(_ fields: [String: String] = [:], lifetime: Int = 300) -> OrderTokenClaims {
        OrderTokenClaims(
            issuedAt: 1_800_000_000, lifetime: lifetime, merchantReference: "ORDER-1001", amount: 10_000,
            currency: "AED", fields: fields)
    }

    private func verdict(_ claims: JSONObject, policy: JWTPolicy? = nil) throws -> OrderTokenVerdict {
        let key = try JWTSigningKey.key(parsing: String(decoding: pair.signing.encoded(), as: UTF8.self), named: nil)
        let keys = try JWTKey.keys(parsing: String(decoding: pair.verification.encoded(), as: UTF8.self))
        return OrderTokenVerdict(of: try key.token(claims), keys: keys, policy: policy ?? self.policy, at: Self.now)
    }

    @Test("The names of the claims are the relay's, and so are the required ones and the scopes")
    func names() {
        let pinning = Set(OrderTokenClaims.required + OrderTokenClaims.otherFields + [PaymentField.command])
        #expect(pinning == OrderTokenVerdict.pinning)
        #expect(OrderTokenClaims.required == PinnedOrder.required)
        #expect(Set(OrderTokenClaims.possibleScopes) == Set(PinnedOrder.possibleScopes.map(\.rawValue)))
        #expect(.seconds(OrderTokenClaims.lifetimeLimit) == JWTPolicy(audience: "payrelay").orderLifetimeLimit)
    }

    @Test("Each claim that is signed pins its field, to the letter", arguments: OrderTokenClaims.otherFields)
    func eachClaimPins(name: String) throws {
        let value = #"S'ara \ "سارة" / 💳"#
        let verdict = try verdict(claims([name: value]).json)
        let pinned = [
            name: value, "merchant_reference": "ORDER-1001", "amount": "10000", "currency": "AED",
            "command": "PURCHASE",
        ]
        #expect(verdict.refusal == nil && verdict.client?.name == "shop")
        #expect(verdict.client?.order?.fields == pinned)
        #expect(verdict.client?.scopes == [.paymentsCreate, .paymentsRead])
        #expect(verdict.use(of: name) == .pinned)
    }

    @Test("Without one of the required claims no token is an order token", arguments: OrderTokenClaims.required)
    func requiredClaims(name: String) throws {
        var json = claims().json
        json[name] = nil
        #expect(try verdict(json).refusal == "the token's \(name) is missing: an order token pins \(required)")
    }

    private let required = OrderTokenClaims.required.joined(separator: ", ")

    @Test("A claim that the library reports as wrong is refused or ignored by the relay")
    func errorsAgree() throws {
        for amount in [0, -1, 10_000_000_000] {
            var wrong = claims()
            wrong.amount = amount
            #expect(!wrong.errors().isEmpty)
            #expect(try verdict(wrong.json).refusal?.contains("amount") == true)
        }
        for lifetime in [1, 3_600] {
            #expect(claims(lifetime: lifetime).errors().isEmpty)
            #expect(try verdict(claims(lifetime: lifetime).json).isAccepted)
        }
        // The relay allows an issuer's clock to be wrong by a minute. The claims' own check does not.
        #expect(claims(lifetime: 3_601).errors().map(\.field) == ["exp"])
        #expect(try verdict(claims(lifetime: 3_661).json).refusal?.contains("exp") == true)
        let colour = claims(["colour": "red"])
        #expect(colour.errors().map(\.field) == ["colour"])
        #expect(try verdict(colour.json).use(of: "colour") == .ignored)
    }

    @Test("A pinned value beyond FORT's limits is named, for a payment with it is refused")
    func limits() throws {
        let verdict = try verdict(claims(["statement_descriptor": String(repeating: "S", count: 51)]).json)
        #expect(verdict.refusal == nil && !verdict.isAccepted && !verdict.canPay)
        #expect(verdict.errors.map(\.field) == ["statement_descriptor"])
    }

    @Test("A pinned reference that no order may have is named", arguments: [".", ".."])
    func dotSegments(reference: String) throws {
        var wrong = claims()
        wrong.merchantReference = reference
        let verdict = try verdict(wrong.json)
        #expect(!verdict.isAccepted && verdict.errors.map(\.field) == ["merchant_reference"])
    }

    @Test("A token that only reads is accepted, and cannot pay")
    func readingTokens() throws {
        var reading = claims()
        reading.command = nil
        #expect(try verdict(reading.json).isAccepted && !verdict(reading.json).canPay)
        reading.command = .purchase
        reading.scopes = ["payments:read"]
        #expect(try verdict(reading.json).isAccepted && !verdict(reading.json).canPay)
    }

    @Test(
        "A token permits what its scopes permit, and is refused if it permits neither to pay nor to read its order",
        arguments: [
            ("payments:create payments:read", true, true), ("payments:create", true, false),
            ("payments:read", false, true), ("payments:manage", false, false), ("", false, false),
            ("foo", false, false), ("sessions:create", false, false),
        ])
    func scopesDecide(scope: String, pays: Bool, reads: Bool) throws {
        var json = claims().json
        json["scope"] = .string(scope)
        var verdict = try verdict(json)
        #expect(verdict.refusal == nil && verdict.canPay == pays && verdict.canRead == reads)
        #expect(verdict.isAccepted == (pays || reads))
        json["command"] = nil
        verdict = try self.verdict(json)
        #expect(!verdict.canPay && verdict.canRead == reads && verdict.isAccepted == reads)
    }

    @Test("A backend's JWT is not an order token, whatever its scopes")
    func backendsTokens() throws {
        let backends = try verdict(["aud": "payrelay", "exp": 1_800_000_300, "scope": "payments:manage"])
        #expect(backends.refusal?.contains("pins no order") == true && !backends.isAccepted)
    }

    @Test("A text that is not a token is refused, and has no claims", arguments: ["", "a.b", "e30.e30.", "\u{1B}[2J"])
    func noToken(text: String) throws {
        let verdict = OrderTokenVerdict(of: text, keys: [], policy: policy, at: Self.now)
        #expect(verdict.refusal != nil && verdict.claims.isEmpty && verdict.remaining == nil)
    }

    @Test("A time beyond all numbers is refused, and no reason to crash", arguments: ["1e308", "1e400", "-1e300"])
    func hugeTimes(time: String) throws {
        var json = claims().json
        json["exp"] = .number(time)
        #expect(try verdict(json).refusal?.contains("exp") == true)
    }
}
