import Crypto
import CryptoExtras
import Foundation
import PayrelayPrimitives
import Testing

@testable import AccessControl

/// Keys that sign tokens for a trial of the relay.
@Suite struct JWTSigningKeyTests {
    private static let p256 = P256.Signing.PrivateKey()
    private static let secret = Base64URL.encode(0..<32)

    private static func jwk(_ name: String, _ key: P256.Signing.PrivateKey = p256) -> JSONObject {
        let point = key.publicKey.rawRepresentation
        return [
            "kty": "EC", "crv": "P-256", "kid": .string(name), "x": .string(Base64URL.encode(point.prefix(32))),
            "y": .string(Base64URL.encode(point.suffix(32))), "d": .string(Base64URL.encode(key.rawRepresentation)),
        ]
    }

    private static func set(_ keys: JSONObject...) -> String {
        String(decoding: JSON.object(["keys": .array(keys.map(JSON.object))]).encoded(), as: UTF8.self)
    }

    private static func fault(_ text: String, named name: String? = nil) -> JWTSigningKeyError? {
        do throws(JWTSigningKeyError) {
            _ = try JWTSigningKey.key(parsing: text, named: name)
            return nil
        } catch {
            return error
        }
    }

    @Test("A token signed by a key of each kind is verified by the relay with the key's public part")
    func kinds() async throws {
        let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let keys: [(text: String, name: String?, algorithm: String)] = [
            (Self.set(["kty": "oct", "kid": "h", "k": .string(Self.secret)]), nil, "HS256"),
            (Self.set(Self.jwk("e")), nil, "ES256"),
            (Self.set(try JSON(parsing: Self.rsa).objectValue ?? [:]), nil, "RS256"),
            (Self.p256.pemRepresentation, "pem", "ES256"), (Self.p256.pemRepresentation, nil, "ES256"),
            (rsa.pemRepresentation, "pem", "RS256"), (rsa.pkcs8PEMRepresentation, nil, "RS256"),
        ]
        for (text, name, algorithm) in keys {
            let key = try JWTSigningKey.key(parsing: text, named: name)
            let token = try key.token(Issuer.orderClaims)
            let verifier = JWTVerifier(
                policy: JWTPolicy(audience: "payrelay"), keys: [key.verificationKey], now: { Issuer.now })
            #expect(await verifier.fault(of: token) == nil)
            #expect(try JSONWebToken(token).algorithm == algorithm)
            if let name { #expect(try JSONWebToken(token).keyIdentifier == name) }
        }
    }

    @Test("One of several keys is chosen by its kid, and never by chance")
    func choice() throws {
        let set = Self.set(Self.jwk("a"), Self.jwk("b", P256.Signing.PrivateKey()))
        #expect(Self.fault(set) == .several(["a", "b"]))
        #expect(Self.fault(set, named: "c") == .unknown("c"))
        let key = try JWTSigningKey.key(parsing: set, named: "a")
        #expect(key.verificationKey.identifier == "a")
    }

    @Test("A key that cannot sign is refused with the reason")
    func refusals() {
        var halved = Self.jwk("a")
        halved["d"] = nil
        var crossed = Self.jwk("a")
        crossed["d"] = .string(Base64URL.encode(P256.Signing.PrivateKey().rawRepresentation))
        #expect(Self.fault("") == .noKey)
        #expect(Self.fault("{}") == .noKey)
        #expect(Self.fault("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----") == .pem)
        #expect(Self.fault(Self.p256.publicKey.pemRepresentation) == .pem)
        #expect(Self.fault(Self.set(halved)) == .publicKey("a"))
        #expect(Self.fault(Self.set(crossed)) == .malformed("a"))
        #expect(Self.fault(Self.set(["kty": "oct", "kid": "h", "k": "c2hvcnQ"])) == .set(.malformed("h")))
        #expect(Self.fault(Self.set(["kty": "OKP", "kid": "o"])) == .set(.none))
    }

    @Test("No error and no description shows a key")
    func secrecy() {
        let texts = [Self.set(["kty": "oct", "kid": "h", "k": "c2hvcnQ"]), "-----BEGIN PRIVATE KEY-----\nc2hvcnQ\n"]
        for text in texts { #expect(Self.fault(text).map { "\($0)".contains("c2hvcnQ") } == false) }
    }

    @Test("A new key's parts fit, and only the backend's part of an ES256 key is secret")
    func newKeys() async throws {
        for algorithm in JWTKeyPair.Algorithm.allCases {
            let pair = try JWTKeyPair(algorithm, named: "k1", client: "shop")
            let other = try JWTKeyPair(algorithm, named: "k2", client: "shop", beside: pair.verification)
            #expect(other.verification["keys"]?.arrayValue?.first == pair.verification["keys"]?.arrayValue?.first)
            #expect((pair.signing == pair.verification) == (algorithm == .hs256))
            let text = String(decoding: other.verification.encoded(), as: UTF8.self)
            #expect(!text.contains(#""d""#))
            let verifier = JWTVerifier(
                policy: JWTPolicy(audience: "payrelay"), keys: try JWTKey.keys(parsing: text), now: { Issuer.now })
            for signing in [pair.signing, other.signing] {
                let key = try JWTSigningKey.key(
                    parsing: String(decoding: signing.encoded(), as: UTF8.self), named: nil)
                #expect(await verifier.fault(of: try key.token(Issuer.orderClaims)) == nil)
            }
        }
        #expect(throws: JWTKeysError.client("k")) { try JWTKeyPair(.es256, named: "k", client: "a b") }
        let set = try JWTKeyPair(.es256, named: "k", client: "shop").verification
        #expect(throws: JWTKeysError.repeated("k")) { try JWTKeyPair(.es256, named: "k", client: "x", beside: set) }
        #expect(throws: JWTKeysError.noSet) { try JWTKeyPair(.es256, named: "k", client: "shop", beside: []) }
    }

    /// A key that was made for this test.
    private static let rsa = """
        {"kty":"RSA","kid":"r","n":"pu3-tga7gu1iwzw0n7IBkOlRjN2CjAim3JBibJC2VRJRa2quEYZrocwh5F8Tf_mMdE07LKu5\
        RsDzaS9LoqsUo29YTVX8Yad7_BOVnVriUCJm_879v7hPeLWzLovS9yEH5FPDCDhixtQM5ndRdUwUX8xDbgoEN0L5JhEmb1r093r5\
        LgrZNeKEMCH7Qq0EyrEXfik6VDeKWAL-ZAQG6LyOm1K4K-CfkB9sz0blLv2CfNsUFbCVUpOk8AthoYuJ_xXv9pSGvqCTQDMo7DA0\
        DnUL6HKqB57u_wFJfXFI46saDW6MpDuGv_6013YNNGk5HHuj_4qbljI9Dc8samML0i5NnQ","e":"AQAB","d":"I3ETa91ZEY7K\
        Mc6GE8Ps_jHzfReIwKeTme_T3d4JwF0vyUEwrQrfrk4TghPHpZu7vPOq1SyunT2ZUKNYiTSOoLaixmSzvZ4cPmSAFxU1SLNNMBHo\
        IT0GLohRf1fzlkG-lbVNCuFB45ohFQuPUXqyNra9OE9LHtqK4JCymuDyctqi1A1W-BOzYoJlsuChgxA9NoOHuUpQQTic37FWFVJn\
        dOO7BKS8dtmigaKGBzJ1YMrB3SkJsh_92AgcFZ7hAzIH4KicfyyNqFBn7NgkvcDvo8uy_MylwTtOIGZPATDg-pKiaPO2b5fSnC0y\
        AGyfvnBmpem4zjxX4gfq746MvbkIoQ","p":"1yhKin0yLIpiY4WsZM85JASucHGqZaGKzVlryebY-UQCvX5IX8NKKL5P13wODz_\
        hnXNjxkxIobpMp0HEZtVqY__Ms_SFzHDYBtMe0ytydLjmf_tkjQNj-DxB0GbezYlacuR7K7lBZZxaNocvzGnGiP0VJdTG5gmFSub\
        51pFSwC0","q":"xp4MICXzrhZBszhPOTm5F_QIsEc03l36KbtSnWtpUFfHM09IEYSn1aB6iqLfw7A3rs4IuFY19zkhkc1ZKREzK\
        rL3KKXlcZVWJJYU312_5kZYf0uWqp7ldXesKlUdlBXYKPQVG72TJYXA2P4b8EeqL0TxUiyor6SAsHug_EmzuTE"}
        """
}
