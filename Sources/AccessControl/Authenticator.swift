/// Authenticates a client by the `Authorization` header of a request: an API key or a JWT, as a bearer credential (RFC 6750).
public struct Authenticator: Sendable {
    private let keys: APIKeys
    private let tokens: JWTVerifier?

    public init(keys: APIKeys, tokens: JWTVerifier?) {
        self.keys = keys
        self.tokens = tokens
    }

    /// - Parameter authorization: the header field's whole value; nil where the request has none.
    /// - Throws: ``AuthenticationError``.
    public func authenticate(authorization: String?) async throws(AuthenticationError) -> AuthenticatedClient {
        guard let authorization else { throw .missing }
        let words = authorization.split(separator: " ", omittingEmptySubsequences: true)
        // Two fields of this name arrive joined by a comma, and so as more than two words.
        guard words.count == 2, words[0].lowercased() == "bearer" else { throw .notBearer }
        let credential = String(words[1])
        if credential.hasPrefix(APIKey.prefix) {
            guard let key = APIKey(credential), let client = keys.authenticate(with: key) else { throw .unknownKey }
            return client
        }
        guard let tokens else { throw .unknownKey }
        do throws(JWTError) {
            return try await tokens.authenticate(with: credential)
        } catch {
            throw .token(error)
        }
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
