import Crypto
import Foundation
public import PayrelayPrimitives

/// A new key for JWTs as two JWK Sets: one for the backend to sign with, and one for the relay to verify with.
public struct JWTKeyPair: Sendable {
    public enum Algorithm: String, CaseIterable, Sendable {
        /// The relay's set can verify but not sign.
        case es256 = "ES256"
        /// Both sets have the same secret.
        case hs256 = "HS256"
    }

    /// The backend's set. It is a secret.
    public let signing: JSON
    /// The relay's set, for `PAYRELAY_JWT_KEYS_FILE`. With HS256 it is a secret.
    public let verification: JSON

    /// Creates a random key.
    ///
    /// - Parameters:
    ///   - name: the `kid` of the key.
    ///   - client: the only client that tokens of the key authenticate.
    ///   - present: the relay's current set, which the new set includes.
    /// - Throws: ``JWTKeysError`` if the relay would reject the new set.
    public init(
        _ algorithm: Algorithm, named name: String, client: String, beside present: JSON? = nil
    ) throws(JWTKeysError) {
        var shared: JSONObject = ["kid": .string(name), "alg": .string(algorithm.rawValue), "client": .string(client)]
        var own = shared
        switch algorithm {
        case .es256:
            let key = P256.Signing.PrivateKey()
            let point = key.publicKey.rawRepresentation
            shared["kty"] = "EC"
            shared["crv"] = "P-256"
            shared["x"] = .string(Base64URL.encode(point.prefix(32)))
            shared["y"] = .string(Base64URL.encode(point.suffix(32)))
            own = shared
            own["d"] = .string(Base64URL.encode(key.rawRepresentation))
        case .hs256:
            shared["kty"] = "oct"
            let secret = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
            shared["k"] = .string(Base64URL.encode(secret))
            own = shared
        }
        if let present, present["keys"]?.arrayValue == nil { throw .noSet }
        signing = ["keys": [.object(own)]]
        verification = ["keys": .array((present?["keys"]?.arrayValue ?? []) + [.object(shared)])]
        _ = try JWTKey.keys(set: verification.encoded())
    }
}
