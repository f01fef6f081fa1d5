import PayrelayPrimitives

/// Authenticates clients by the `Authorization` header field: an API key or a JWT, as a bearer token (RFC 6750).
public struct Authenticator: Sendable {
    private let keys: APIKeys
    private let tokens: JWTVerifier?

    public init(keys: APIKeys, tokens: JWTVerifier?) {
        self.keys = keys
        self.tokens = tokens
    }

    /// Authenticates a client.
    ///
    /// - Parameter authorization: the whole field value; `nil` if the request has no such field.
    /// - Throws: ``AuthenticationError``.
    public func authenticate(authorization: String?) async throws(AuthenticationError) -> AuthenticatedClient {
        let text = try Self.credential(in: authorization)
        if text.begins(with: Set<Scope>.keyPrefix) {
            guard let key = APIKey(text), let entry = keys.entry(with: key) else { throw .unknownKey }
            return AuthenticatedClient(name: entry.name, scopes: entry.permission)
        }
        guard let tokens else { throw .unknownKey }
        do throws(JWTError) { return try await tokens.authenticate(with: text) } catch { throw .token(error) }
    }

    /// Returns the bearer credential of the header field.
    ///
    /// - Throws: ``AuthenticationError/missing`` or ``AuthenticationError/notBearer``.
    public static func credential(in authorization: String?) throws(AuthenticationError) -> String {
        guard let authorization else { throw .missing }
        let words = authorization.words
        // If the field was sent twice, the values arrive joined by a comma, and so have more than two words.
        guard words.count == 2, words[0].isSame(ignoringCaseOf: "bearer") else { throw .notBearer }
        return String(words[1])
    }

    /// Whether the field has one bearer token in the form of a JWT: three parts separated by dots.
    public static func hasToken(authorization: String?) -> Bool {
        guard let words = authorization?.words, words.count == 2, words[0].isSame(ignoringCaseOf: "bearer") else {
            return false
        }
        return words[1].utf8.count { $0 == UInt8(ascii: ".") } == 2
    }
}

/// Why a request is not authenticated.
public enum AuthenticationError: Error, Equatable, Sendable, CustomStringConvertible {
    case missing
    case notBearer
    case unknownKey
    case token(JWTError)

    public var description: String {
        switch self {
        case .missing: "there is no Authorization header"
        case .notBearer: "the Authorization header is not \"Bearer\" and one credential"
        case .unknownKey: "the key is not one that is known here"
        case .token(let error): "\(error)"
        }
    }
}
