import PayrelayPrimitives

extension JWTSigningKey {
    /// Reads the signing key from the text of a file: a JWK Set (RFC 7517, 5) with private or shared keys, or a
    /// private key in PEM.
    ///
    /// - Parameter name: selects the key of a set by its `kid`, or becomes the `kid` of a PEM key. `nil` selects
    ///   the only key of a set.
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

/// Why a text has no usable key for signing JWTs.
public enum JWTSigningKeyError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The text is neither a JWK Set nor PEM.
    case noKey
    case pem
    /// The set has no key with this `kid`.
    case unknown(String)
    /// The set has several keys, with these `kid` values.
    case several([String])
    /// The key has only its public part.
    case publicKey(String?)
    /// The private part does not belong to the public part.
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
