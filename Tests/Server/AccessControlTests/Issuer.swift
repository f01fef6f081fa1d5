import Crypto
import CryptoExtras
import Foundation
import PayrelayPrimitives

@testable import AccessControl

/// An issuer, or an attacker, that makes tokens without the code under test.
struct Issuer {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let soon = 1_800_000_300

    let ecKey = P256.Signing.PrivateKey()
    let secret = SymmetricKey(size: .bits256)

    /// Returns a JWK Set with the issuer's public EC key `ec` and its shared secret `hs`.
    func keys(client: String? = nil) throws -> [JWTKey] {
        var ec = jwk()
        ec["client"] = client.map { .string($0) }
        let hs: JSON = [
            "kty": "oct", "kid": "hs", "alg": "HS256",
            "k": .string(Self.base64URL(secret.withUnsafeBytes { Data($0) })),
        ]
        let set: JSON = ["keys": .array([.object(ec), hs])]
        return try JWTKey.keys(parsing: String(decoding: set.encoded(), as: UTF8.self))
    }

    /// Returns the public EC key.
    func jwk(_ kid: String = "ec") -> JSONObject {
        let point = ecKey.publicKey.rawRepresentation
        return [
            "kty": "EC", "crv": "P-256", "kid": .string(kid), "use": "sig", "alg": "ES256",
            "x": .string(Self.base64URL(point.prefix(32))), "y": .string(Self.base64URL(point.suffix(32))),
        ]
    }

    func verifier(_ policy: JWTPolicy = JWTPolicy(audience: "payrelay"), at moment: Date = now) throws -> JWTVerifier {
        JWTVerifier(policy: policy, keys: try keys(), now: { moment })
    }

    static let claims: JSONObject = [
        "client_id": "shop", "aud": "payrelay", "exp": JSON(soon), "scope": "payments:create payments:read",
    ]

    static let orderClaims: JSONObject = [
        "client_id": "shop", "aud": "payrelay", "exp": JSON(soon), "merchant_reference": "ORDER-1", "amount": 10_000,
        "currency": "AED",
    ]

    func es256(_ claims: JSONObject = claims, header: JSONObject = ["alg": "ES256", "kid": "ec"]) throws -> String {
        try Self.token(header, claims) { try ecKey.signature(for: $0).rawRepresentation }
    }

    func hs256(
        _ claims: JSONObject = claims, header: JSONObject = ["alg": "HS256", "kid": "hs"], key: SymmetricKey? = nil
    ) -> String {
        Self.token(header, claims) { Data(HMAC<SHA256>.authenticationCode(for: $0, using: key ?? secret)) }
    }

    static func token(_ header: JSONObject, _ claims: JSONObject, sign: (Data) throws -> Data) rethrows -> String {
        let parts = [header, claims].map { base64URL(Data(JSON.object($0).encoded())) }
        let signed = parts.joined(separator: ".")
        return signed + "." + base64URL(try sign(Data(signed.utf8)))
    }

    static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

extension JSONObject {
    /// Returns the object with changed members.
    func with(_ members: KeyValuePairs<String, JSON?>) -> JSONObject {
        var changed = self
        for (name, value) in members { changed[name] = value }
        return changed
    }
}

extension JWTVerifier {
    /// Returns the reason why the token is refused, or `nil` if it is accepted.
    func fault(of token: String) async -> JWTError? {
        do throws(JWTError) {
            _ = try await authenticate(with: token)
            return nil
        } catch {
            return error
        }
    }
}
