import Crypto
import CryptoExtras
import FoundationEssentials
import PayrelayPrimitives

/// A JWK Set (RFC 7517, 5): the keys that can verify a JWT, and the reasons why other keys cannot. Keys that are
/// not for ES256, RS256 or HS256 signatures are ignored, as the RFC requires. The set may be empty.
struct JWKSet {
    private(set) var keys: [JWTKey] = []
    private(set) var skipped: [JWTKeysError] = []

    /// - Throws: ``JWTKeysError/noSet`` if the bytes are not a JWK Set.
    init(_ bytes: [UInt8]) throws(JWTKeysError) {
        guard let members = (try? JSON(parsing: bytes))?["keys"]?.arrayValue else { throw .noSet }
        for member in members {
            do throws(JWTKeysError) {
                guard let key = try JWTKey(jwk: member) else { continue }
                guard !keys.contains(where: { $0.identifier == key.identifier }) else {
                    throw .repeated(key.identifier ?? "")
                }
                keys.append(key)
            } catch {
                skipped.append(error)
            }
        }
    }

    /// Reads the keys of a set that is published.
    init(published bytes: [UInt8]) throws(JWTKeysError) {
        try self.init(bytes)
        // A published secret is not secret: anyone who can read it could sign with it.
        for key in keys where key.algorithm == "HS256" { skipped.append(.publishedSecret(key.identifier ?? "")) }
        keys.removeAll { $0.algorithm == "HS256" }
    }
}

extension JWTKey {
    /// Reads keys from the text of a file: a JWK Set (RFC 7517, 5), or one public key in PEM, which has no `kid`.
    ///
    /// - Throws: ``JWTKeysError``.
    public static func keys(parsing text: String) throws(JWTKeysError) -> [JWTKey] {
        if text.has("PRIVATE KEY") { throw .privateKey }
        guard text.has("-----BEGIN PUBLIC KEY-----") else { return try keys(set: Array(text.utf8)) }
        if let key = try? P256.Signing.PublicKey(pemRepresentation: text) {
            return [JWTKey(identifier: nil, client: nil, material: .es256(key))]
        }
        // RSA keys must have at least 2048 bits, which swift-crypto checks here and below.
        guard let key = try? _RSA.Signing.PublicKey(pemRepresentation: text) else { throw .pem }
        return [JWTKey(identifier: nil, client: nil, material: .rs256(key))]
    }

    /// Reads a JWK Set from a file. The operator can correct a file, so a single unusable key is an error, and so
    /// is a set without keys.
    static func keys(set bytes: [UInt8]) throws(JWTKeysError) -> [JWTKey] {
        let set = try JWKSet(bytes)
        if let error = set.skipped.first { throw error }
        guard !set.keys.isEmpty else { throw .none }
        return set.keys
    }

    /// Returns `nil` if the key has another purpose.
    init?(jwk: JSON) throws(JWTKeysError) {
        guard let kind = jwk["kty"]?.stringValue, let algorithm = Self.algorithms[kind],
            jwk["use"].map({ $0 == "sig" }) ?? true, jwk["alg"].map({ $0 == .string(algorithm) }) ?? true,
            kind != "EC" || jwk["crv"] == "P-256"
        else { return nil }
        let name = jwk["kid"]?.stringValue
        if jwk["d"] != nil { throw .privateKey }
        guard (name == nil) == (jwk["kid"] == nil), let material = Material(jwk: jwk, kind: kind) else {
            throw .malformed(name ?? "")
        }
        if let client = jwk["client"] {
            guard let text = client.stringValue, APIKeyEntry.isName(text) else { throw .client(name ?? "") }
            self.client = text
        } else {
            client = nil
        }
        identifier = name
        self.material = material
    }

    /// The algorithm for each `kty`.
    private static let algorithms = ["EC": "ES256", "RSA": "RS256", "oct": "HS256"]
}

extension JWTKey.Material {
    fileprivate init?(jwk: JSON, kind: String) {
        func part(_ name: String) -> [UInt8]? { jwk[name]?.stringValue.flatMap { Base64URL.decode($0) } }
        switch kind {
        case "EC":
            // The X and Y coordinates concatenated (RFC 7518, 6.2.1). swift-crypto checks that the point is on
            // the curve.
            guard let x = part("x"), let y = part("y"), x.count == 32, y.count == 32,
                let key = try? P256.Signing.PublicKey(rawRepresentation: x + y)
            else { return nil }
            self = .es256(key)
        case "RSA":
            guard let modulus = part("n"), let exponent = part("e"),
                let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent)
            else { return nil }
            self = .rs256(key)
        default:
            // The secret must be at least as long as the digest (RFC 7518, 3.2).
            guard let bytes = part("k"), bytes.count >= 32 else { return nil }
            self = .hs256(SymmetricKey(data: bytes))
        }
    }
}

/// Why a text has no usable keys for verifying JWTs.
public enum JWTKeysError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The text is neither a public key in PEM nor a JSON object with `keys`.
    case noSet
    case pem
    /// The text has a private key, which is for signing. Only public keys belong here.
    case privateKey
    case malformed(String)
    /// The key's `client` is not a valid client name.
    case client(String)
    case repeated(String)
    /// The published set has a shared secret.
    case publishedSecret(String)
    case none

    public var description: String {
        switch self {
        case .noSet: "is neither a JWK Set nor a public key in PEM"
        case .pem: "holds a PEM key that is neither P-256 nor RSA of 2048 bits or more"
        case .privateKey: "holds a private key; only the public one belongs here"
        case .malformed(let name):
            "has a malformed key \"\(name)\" (RSA takes 2048 bits or more, HS256 32 bytes or more)"
        case .client(let name): "has a key \"\(name)\" whose client is not 1 to 64 of A-Z a-z 0-9 . _ -"
        case .repeated(let name): "has two keys named \"\(name)\""
        case .publishedSecret(let name): "publishes the shared secret \"\(name)\""
        case .none: "has no key for ES256, RS256 or HS256"
        }
    }
}
