import PayrelayPrimitives

extension JWTSigningKey {
    /// Reads the key to sign with from a file's text: a JWK Set (RFC 7517, 5) with private or shared keys, or a private key in
    /// PEM.
    ///
    /// - Parameter name: the `kid` of the one to take from a set, or to give to a PEM key; nil takes a set's only key.
    /// - Throws: ``JWTSigningKeyError``.
    public static func key(parsing text: String, named name: String?) throws(JWTSigningKeyError) -> JWTSigningKey {
        if text.has("-----BEGIN") { return try JWTSigningKey(pem: text, named: name) }
        guard let members = (try? JSON(parsing: text))?["keys"]?.arrayValue else { throw .noKey }
        let wanted = members.filter { name == nil || $0["kid"]?.stringValue == name }
        if let name, wanted.isEmpty { throw .unknown(name) }
        var keys: [JWTSigningKey] = []
        for member in wanted {
            if let key = try JWTSigningKey(jwk: member) { keys.append(key) }
        }
        guard let key = keys.first else { throw .set(.none) }
        guard keys.count == 1 else { throw .several(keys.map { $0.verificationKey.identifier ?? "" }) }
        return key
    }
}

/// Why a text holds no usable key to sign JWTs with.
public enum JWTSigningKeyError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Neither a JWK Set nor PEM.
    case noKey
    case pem
    /// It has no key of this `kid`.
    case unknown(String)
    /// It has more than one, with these `kid`.
    case several([String])
    /// Only the public part is there.
    case publicKey(String?)
    /// The private part is not that of the public one.
    case malformed(String?)
    case set(JWTKeysError)

    public var description: String {
        switch self {
        case .noKey: "is neither a JWK Set nor a private key in PEM"
        case .pem: "holds no P-256 or RSA private key in PEM"
        case .unknown(let name): "has no key named \"\(name)\""
        case .several(let names):
            "has several keys: choose one by its kid, of \(names.map { "\"\($0)\"" }.joined(separator: ", "))"
        case .publicKey(let name): "has only the public part of the key \"\(name ?? "")\", which signs nothing"
        case .malformed(let name): "has a key \"\(name ?? "")\" whose private part is not that of its public part"
        case .set(let error): "\(error)"
        }
    }
}
