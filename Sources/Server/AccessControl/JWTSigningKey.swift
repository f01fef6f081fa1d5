import Crypto
import CryptoExtras
import Foundation
public import PayrelayPrimitives

/// A key for signing JWTs, so that the relay can be tried out. A backend signs with its own library.
public struct JWTSigningKey: Sendable {
    private enum Material: Sendable {
        case es256(P256.Signing.PrivateKey)
        case rs256(_RSA.Signing.PrivateKey)
        case hs256(SymmetricKey)
    }

    private let material: Material
    /// The key that verifies the tokens of this key.
    public let verificationKey: JWTKey

    /// Returns a signed token in JWS compact serialization (RFC 7515, 7.1).
    ///
    /// - Throws: the error of swift-crypto if the private key cannot sign.
    public func token(_ claims: JSONObject) throws -> String {
        var header: JSONObject = ["alg": .string(verificationKey.algorithm), "typ": "JWT"]
        header["kid"] = verificationKey.identifier.map(JSON.string)
        let signed = [header, claims].map { Base64URL.encode(JSON.object($0).encoded()) }.joined(separator: ".")
        return "\(signed).\(Base64URL.encode(try signature(of: Data(signed.utf8))))"
    }

    private func signature(of bytes: Data) throws -> Data {
        switch material {
        case .es256(let key): try key.signature(for: bytes).rawRepresentation
        case .rs256(let key):
            try key.signature(for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5).rawRepresentation
        case .hs256(let key): Data(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
        }
    }

    /// Reads a private key in PEM.
    ///
    /// - Parameter name: the `kid` for the tokens of this key.
    init(pem text: String, named name: String?) throws(JWTSigningKeyError) {
        if let key = try? P256.Signing.PrivateKey(pemRepresentation: text) {
            material = .es256(key)
            verificationKey = JWTKey(identifier: name, client: nil, material: .es256(key.publicKey))
        } else if let key = try? _RSA.Signing.PrivateKey(pemRepresentation: text) {
            material = .rs256(key)
            verificationKey = JWTKey(identifier: name, client: nil, material: .rs256(key.publicKey))
        } else {
            throw .pem
        }
    }

    /// Reads a private or shared key of a JWK Set (RFC 7518, 6). Returns `nil` if the key has another purpose.
    init?(jwk: JSON) throws(JWTSigningKeyError) {
        guard let members = jwk.objectValue else { return nil }
        let shared = members.filter { !["d", "p", "q", "dp", "dq", "qi", "oth"].contains($0.name) }
        let key: JWTKey?
        do throws(JWTKeysError) {
            key = try JWTKey(jwk: .object(shared))
        } catch {
            throw .set(error)
        }
        guard let key else { return nil }
        func part(_ name: String) -> [UInt8] { jwk[name]?.stringValue.flatMap { Base64URL.decode($0) } ?? [] }
        switch key.material {
        case .hs256(let secret): material = .hs256(secret)
        case .es256(let point):
            guard jwk["d"] != nil else { throw .publicKey(key.identifier) }
            guard let own = try? P256.Signing.PrivateKey(rawRepresentation: part("d")),
                own.publicKey.rawRepresentation == point.rawRepresentation
            else { throw .malformed(key.identifier) }
            material = .es256(own)
        case .rs256(let modulus):
            guard jwk["d"] != nil else { throw .publicKey(key.identifier) }
            guard
                let own = try? _RSA.Signing.PrivateKey(
                    n: part("n"), e: part("e"), d: part("d"), p: part("p"), q: part("q")),
                own.publicKey.derRepresentation == modulus.derRepresentation
            else { throw .malformed(key.identifier) }
            material = .rs256(own)
        }
        verificationKey = key
    }
}
