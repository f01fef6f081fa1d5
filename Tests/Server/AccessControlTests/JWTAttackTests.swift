import Crypto
import Foundation
import PayrelayPrimitives
import Testing

@testable import AccessControl

/// Each attack is a minted token. The genuine token beside it is accepted.
@Suite struct JWTAttackTests {
    private let issuer = Issuer()

    @Test func algNoneIsRejected() async throws {
        let verifier = try issuer.verifier()
        for name in ["none", "None", "NONE", ""] {
            for identifier: JSON? in ["ec", "hs", nil] {
                let header = (["alg": .string(name)] as JSONObject).with(["kid": identifier])
                let unsigned = Issuer.token(header, Issuer.claims) { _ in Data() }
                #expect(await verifier.fault(of: unsigned) != nil)
            }
            let signed = try issuer.es256(header: ["alg": .string(name), "kid": "ec"])
            #expect(await verifier.fault(of: signed) == .algorithm)
        }
        #expect(await verifier.fault(of: try issuer.es256()) == nil)
    }

    @Test func aPublicKeyIsNotAcceptedAsASharedSecret() async throws {
        let verifier = try issuer.verifier()
        let key = issuer.ecKey.publicKey
        let forms = [
            Data(key.pemRepresentation.utf8), Data((key.pemRepresentation + "\n").utf8), key.derRepresentation,
            key.x963Representation, key.rawRepresentation,
        ]
        for form in forms {
            let forged = issuer.hs256(header: ["alg": "HS256", "kid": "ec"], key: SymmetricKey(data: form))
            #expect(await verifier.fault(of: forged) == .algorithm)
        }
        #expect(await verifier.fault(of: issuer.hs256()) == nil)
    }

    @Test func aTokenIsVerifiedWithTheKeyItNamesAndNoOther() async throws {
        let verifier = try issuer.verifier()
        let elsewhere: [JSON?] = [
            "../../../../dev/null", "/dev/null", "ec\u{0}", "' OR '1'='1", "https://evil.example/key",
        ]
        for kid: JSON? in ["other", "", "EC", "ec ", nil] + elsewhere {
            let header = (["alg": "ES256"] as JSONObject).with(["kid": kid])
            #expect(await verifier.fault(of: try issuer.es256(header: header)) == .unknownKey)
        }
        #expect(await verifier.fault(of: try issuer.es256(header: ["alg": "ES256", "kid": "hs"])) == .algorithm)
        let stranger = Issuer()
        #expect(await verifier.fault(of: try stranger.es256()) == .signature)
        #expect(await verifier.fault(of: stranger.hs256()) == .signature)
    }

    @Test func aKeyInTheHeaderIsIgnored() async throws {
        let stranger = Issuer()
        let point = stranger.ecKey.publicKey.rawRepresentation
        let jwk: JSON = [
            "kty": "EC", "crv": "P-256", "x": .string(Issuer.base64URL(point.prefix(32))),
            "y": .string(Issuer.base64URL(point.suffix(32))),
        ]
        let header: JSONObject = [
            "alg": "ES256", "kid": "ec", "jwk": jwk, "jku": "https://evil.example/keys", "x5u": "https://evil.example/",
        ]
        #expect(await (try issuer.verifier()).fault(of: try stranger.es256(header: header)) == .signature)
    }

    @Test("S2: every flipped bit of a JWT is rejected") func everyFlippedBitOfAJWTIsRejected() async throws {
        let verifier = try issuer.verifier()
        for token in [try issuer.es256(), issuer.hs256()] {
            let bytes = Array(token.utf8)
            for place in bytes.indices {
                for bit in 0..<7 {
                    var changed = bytes
                    changed[place] ^= 1 << bit
                    #expect(await verifier.fault(of: String(decoding: changed, as: UTF8.self)) != nil)
                }
            }
        }
    }

    @Test func signaturesThatAreEmptyOrOfAnotherLengthAreRejected() async throws {
        let verifier = try issuer.verifier()
        for (alg, kid) in [("ES256", "ec"), ("HS256", "hs")] {
            let header: JSONObject = ["alg": .string(alg), "kid": .string(kid)]
            for count in [0, 1, 31, 32, 63, 64, 65, 128] {
                let token = Issuer.token(header, Issuer.claims) { _ in Data(count: count) }
                #expect(await verifier.fault(of: token) == .signature)
            }
        }
        // JWS does not allow this form: the same signature in DER, as X.509 has it (RFC 7518, 3.4).
        let der = try Issuer.token(["alg": "ES256", "kid": "ec"], Issuer.claims) {
            try issuer.ecKey.signature(for: $0).derRepresentation
        }
        #expect(await verifier.fault(of: der) == .signatureInDER)
        #expect(JWTError.signatureInDER.description.contains("DER, JWS wants r‖s"))
    }

    @Test func aTokenLongerThanTheLimitIsRejected() async throws {
        let verifier = try issuer.verifier()
        let long = try issuer.es256(Issuer.claims.with(["x": .string(String(repeating: "x", count: 8_192))]))
        #expect(await verifier.fault(of: long) == .tooLong)
        let room = (8_192 - (try issuer.es256(Issuer.claims.with(["x": ""])).utf8.count)) / 4 * 3
        let longest = try issuer.es256(Issuer.claims.with(["x": .string(String(repeating: "x", count: room))]))
        #expect(await verifier.fault(of: longest) == nil)
    }

    @Test(arguments: [
        "", ".", "..", "a.b", "a.b.c.d", "e30.e30.e30", "e30=.e30.", "bnVsbA.e30.", "W10.e30.AA", "\u{0}.\u{0}.\u{0}",
    ])
    func aTextThatIsNotATokenIsMalformed(text: String) async throws {
        guard case .malformed = await (try issuer.verifier()).fault(of: text) else {
            Issue.record("\(text) is not called malformed")
            return
        }
    }

    @Test func ambiguousHeadersAndClaimsAreRejected() async throws {
        let verifier = try issuer.verifier()
        let twice = Data(#"{"client_id":"shop","aud":"payrelay","exp":1800000300,"client_id":"bank"}"#.utf8)
        let header = Issuer.base64URL(Data(#"{"alg":"ES256","kid":"ec"}"#.utf8))
        let signed = header + "." + Issuer.base64URL(twice)
        let signature = try issuer.ecKey.signature(for: Data(signed.utf8)).rawRepresentation
        let token = signed + "." + Issuer.base64URL(signature)
        #expect(await verifier.fault(of: token) == .malformed("its claims are not a JSON object"))
        let critical = try issuer.es256(header: ["alg": "ES256", "kid": "ec", "crit": ["b64"], "b64": false])
        #expect(await verifier.fault(of: critical) == .malformed("its header has crit"))
    }
}
