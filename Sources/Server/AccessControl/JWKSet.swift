import Crypto
import CryptoExtras
import FoundationEssentials
import PayrelayPrimitives

/// A JWK Set (RFC 7517, 5): the keys that can verify a JWT, and why others cannot. Keys that are not for ES256, RS256 or HS256
/// signatures are left out, as the RFC wants it. A set may be empty.
struct JWKSet {
    private(set) var keys: [JWTKey] = []
    private(set) var skipped: [JWTKeysError] = []

    /// - Throws: ``JWTKeysError/noSet``.
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

    /// The keys of a set that anyone can read.
    init(published bytes: [UInt8]) throws(JWTKeysError) {
        try self.init(bytes)
        // A shared secret that is published is none: any of its readers could sign with it.
        for key in keys where key.algorithm == "HS256" { skipped.append(.publishedSecret(key.identifier ?? "")) }
        keys.removeAll { $0.algorithm == "HS256" }
    }
}

extension JWTKey {
    /// Reads keys from a file's text: a JWK Set (RFC 7517, 5), or one public key in PEM, which has no `kid`.
    ///
    /// - Throws: ``JWTKeysError``.
    public static func keys(parsing text: String) throws(JWTKeysError) -> [JWTKey] {
        if text.has("PRIVATE KEY") { throw .privateKey }
        guard text.has("-----BEGIN PUBLIC KEY-----") else { return try keys(set: Array(text.utf8)) }
        if let key = try? P256.Signing.PublicKey(pemRepresentation: text) {
            return [JWTKey(identifier: nil, client: nil, material: .es256(key))]
        }
        // At least 2048 bits, which swift-crypto checks here and below.
        guard let key = try? _RSA.Signing.PublicKey(pemRepresentation: text) else { throw .pem }
        return [JWTKey(identifier: nil, client: nil, material: .rs256(key))]
    }

    /// Reads the JWK Set of a file, which its owner can mend: one unusable key fails it, and so does a set without a key.
    static func keys(set bytes: [UInt8]) throws(JWTKeysError) -> [JWTKey] {
        let set = try JWKSet(bytes)
        if let error = set.skipped.first { throw error }
        guard !set.keys.isEmpty else { throw .none }
        return set.keys
    }

    /// Nil where the key is for something else.
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

    /// By `kty`.
    private static let algorithms = ["EC": "ES256", "RSA": "RS256", "oct": "HS256"]
}

extension JWTKey.Material {
    fileprivate init?(jwk: JSON, kind: String) {
        func part(_ name: String) -> [UInt8]? { jwk[name]?.stringValue.flatMap { Base64URL.decode($0) } }
        switch kind {
        case "EC":
            // X and Y side by side (RFC 7518, 6.2.1), and on the curve.
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
            // As long as the digest at least (RFC 7518, 3.2).
            guard let bytes = part("k"), bytes.count >= 32 else { return nil }
            self = .hs256(SymmetricKey(data: bytes))
        }
    }
}

/// Why a text holds no usable keys to verify JWTs with.
public enum JWTKeysError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Neither a PEM public key nor a JSON object with `keys`.
    case noSet
    case pem
    /// A private key: it signs, and only public keys belong here.
    case privateKey
    case malformed(String)
    /// The key's `client` cannot name one.
    case client(String)
    case repeated(String)
    /// A shared secret in a set that anyone can read.
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
