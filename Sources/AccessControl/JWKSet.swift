import Crypto
import CryptoExtras
import FoundationEssentials
import PayrelayPrimitives

extension JWTKey {
    /// Reads keys from a file's text: a JWK Set (RFC 7517, 5), or one public key in PEM, which has no `kid`.
    ///
    /// - Throws: ``JWTKeysError``.
    public static func keys(parsing text: String) throws(JWTKeysError) -> [JWTKey] {
        if text.contains("PRIVATE KEY") { throw .privateKey }
        guard text.contains("-----BEGIN PUBLIC KEY-----") else { return try keys(set: Array(text.utf8)) }
        if let key = try? P256.Signing.PublicKey(pemRepresentation: text) {
            return [JWTKey(identifier: nil, client: nil, material: .es256(key))]
        }
        // At least 2048 bits, which swift-crypto checks here and below.
        guard let key = try? _RSA.Signing.PublicKey(pemRepresentation: text) else { throw .pem }
        return [JWTKey(identifier: nil, client: nil, material: .rs256(key))]
    }

    /// Reads a JWK Set. Keys that are not for ES256, RS256 or HS256 signatures are left out, as RFC 7517, 5 wants it.
    static func keys(set bytes: [UInt8]) throws(JWTKeysError) -> [JWTKey] {
        guard let members = (try? JSON(parsing: bytes))?["keys"]?.arrayValue else { throw .noSet }
        var keys: [JWTKey] = []
        for member in members {
            guard let key = try JWTKey(jwk: member) else { continue }
            guard !keys.contains(where: { $0.identifier == key.identifier }) else {
                throw .repeated(key.identifier ?? "")
            }
            keys.append(key)
        }
        guard !keys.isEmpty else { throw .none }
        return keys
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
            guard let text = client.stringValue, AuthenticatedClient.isName(text) else { throw .client(name ?? "") }
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
        case .none: "has no key for ES256, RS256 or HS256"
        }
    }
}
