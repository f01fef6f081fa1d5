import Crypto
import CryptoExtras
import Foundation
import PayrelayPrimitives
import Testing

@testable import AccessControl

@Suite struct JWTKeyTests {
    private static let claims =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    /// The examples of RFC 7515, appendices A.1 to A.3, each with its key, header and signature.
    private static let vectors: [(jwk: String, header: String, signature: String)] = [
        (
            #"{"kty":"oct","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"}"#,
            "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        ),
        (
            #"{"kty":"RSA","e":"AQAB","n":"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"}"#,
            "eyJhbGciOiJSUzI1NiJ9",
            "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"
        ),
        (
            #"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#,
            "eyJhbGciOiJFUzI1NiJ9",
            "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
        ),
    ]

    @Test func theVectorsOfTheRFCVerifyAndNothingElseDoes() async throws {
        let keys = try Self.vectors.map { try #require(try JWTKey.keys(parsing: #"{"keys":[\#($0.jwk)]}"#).first) }
        for (index, vector) in Self.vectors.enumerated() {
            let token = try JSONWebToken("\(vector.header).\(Self.claims).\(vector.signature)")
            for (other, key) in keys.enumerated() { #expect(key.verifies(token) == (other == index)) }
            let other = try JSONWebToken("\(vector.header).e30.\(vector.signature)")
            #expect(keys[index].verifies(other) == false)
        }
        #expect(keys.map(\.algorithm) == ["HS256", "RS256", "ES256"])
    }

    @Test func aPublicKeyInPEMVerifiesTokensWithoutAKid() async throws {
        let issuer = Issuer()
        let keys = try JWTKey.keys(parsing: issuer.ecKey.publicKey.pemRepresentation)
        let verifier = JWTVerifier(policy: JWTPolicy(audience: "payrelay"), keys: keys, now: { Issuer.now })
        #expect(await verifier.fault(of: try issuer.es256(header: ["alg": "ES256"])) == nil)
        #expect(await verifier.fault(of: try issuer.es256()) == .unknownKey)
    }

    @Test func anRSAKeyInPEMIsForRS256Alone() async throws {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let pem = key.publicKey.pemRepresentation
        let verifier = JWTVerifier(
            policy: JWTPolicy(audience: "payrelay"), keys: try JWTKey.keys(parsing: pem), now: { Issuer.now })
        func token(_ name: String, _ padding: _RSA.Signing.Padding) throws -> String {
            try Issuer.token(["alg": .string(name)], Issuer.claims) {
                try key.signature(for: SHA256.hash(data: $0), padding: padding).rawRepresentation
            }
        }
        #expect(await verifier.fault(of: try token("RS256", .insecurePKCS1v1_5)) == nil)
        #expect(await verifier.fault(of: try token("RS256", .PSS)) == .signature)
        #expect(await verifier.fault(of: try token("PS256", .PSS)) == .algorithm)
        let confused = Issuer.token(["alg": "HS256"], Issuer.claims) {
            Data(HMAC<SHA256>.authenticationCode(for: $0, using: SymmetricKey(data: Data(pem.utf8))))
        }
        #expect(await verifier.fault(of: confused) == .algorithm)
    }

    @Test func unusableKeysAreReported() throws {
        let point = P256.Signing.PrivateKey().publicKey.rawRepresentation
        let x = Issuer.base64URL(point.prefix(32))
        let y = Issuer.base64URL(point.suffix(32))
        let ec = #"{"kty":"EC","crv":"P-256","kid":"a","x":"\#(x)","y":"\#(y)"}"#
        let weak = try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: 1_024)).publicKey.pemRepresentation
        let cases: [(String, JWTKeysError)] = [
            ("", .noSet), ("[]", .noSet), (#"{"keys":[]}"#, .none),
            (P256.Signing.PrivateKey().pemRepresentation, .privateKey),
            (P384.Signing.PrivateKey().publicKey.pemRepresentation, .pem), (weak, .pem),
            (#"{"keys":[\#(ec),\#(ec)]}"#, .repeated("a")),
            (#"{"keys":[{"kty":"EC","crv":"P-256","kid":"a","x":"\#(x)","y":"\#(x)"}]}"#, .malformed("a")),
            (#"{"keys":[{"kty":"EC","crv":"P-256","kid":"a","x":"\#(x)","y":"\#(y)","d":"\#(x)"}]}"#, .privateKey),
            (#"{"keys":[{"kty":"oct","kid":"s","k":"c2hvcnQ"}]}"#, .malformed("s")),
            (#"{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"o","x":"\#(x)"}]}"#, .none),
        ]
        for (text, error) in cases { #expect(throws: error) { try JWTKey.keys(parsing: text) } }
        let mixed = #"{"keys":[{"kty":"OKP"},{"kty":"EC","crv":"P-521"},{"kty":"EC","use":"enc"},"x",\#(ec)]}"#
        #expect(try JWTKey.keys(parsing: mixed).map(\.identifier) == ["a"])
    }
}
