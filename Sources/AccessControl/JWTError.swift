/// Why a JWT lets nobody in.
public enum JWTError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Longer than 8192 bytes.
    case tooLong
    case malformed(String)
    /// The key is for another algorithm, whatever the token says.
    case algorithm
    case unknownKey
    case signature
    /// A claim is missing or is not what it must be.
    case claim(String, String)
    /// The keys cannot be had, so nothing is known of the token.
    case keysUnavailable

    public var description: String {
        switch self {
        case .tooLong: "the token is longer than \(JSONWebToken.sizeLimit) bytes"
        case .malformed(let reason): "the token is malformed: \(reason)"
        case .algorithm: "the token's alg is not that of its key"
        case .unknownKey: "no key has the token's kid"
        case .signature: "the token's signature is not its key's"
        case .claim(let name, let reason): "the token's \(name) \(reason)"
        case .keysUnavailable: "the keys for tokens cannot be fetched"
        }
    }
}
