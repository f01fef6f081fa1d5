import AccessControl
import CommandLineParts
import Composition
import HTTPListener
import PayrelayPrimitives

/// The authentication of a development relay's clients: one API key, or order tokens.
struct DevelopmentAccess {
    let key: APIKey
    /// The absolute path of the file that the key was read from; `nil` for a new key.
    let keyFile: String?

    /// - Parameter keyFile: a file with an API key; `nil` for a new key.
    init(keyFile: String?) throws {
        self.keyFile = keyFile.map(absolutePath)
        guard let keyFile else {
            key = APIKey()
            return
        }
        let text = String(decoding: try readFile(keyFile), as: UTF8.self)
        guard let key = APIKey(String(text.trimmed)) else {
            throw failure("\(keyFile) holds no API key as `payrelay keys generate` prints it", status: .data)
        }
        self.key = key
    }

    /// Returns a policy that accepts the key and order tokens.
    func policy(_ orderTokens: [JWTKey]) throws -> AccessPolicy {
        let entry = try APIKeyEntry(name: "dev", permission: Set(Scope.allCases), key: key)
        return Self.policy(orderTokens, apiKeys: try APIKeys(parsing: entry.description))
    }

    /// Returns a policy that accepts only order tokens.
    static func ofOrderTokens(_ keys: [JWTKey]) throws -> AccessPolicy {
        policy(keys, apiKeys: try APIKeys(parsing: ""))
    }

    private static func policy(_ orderTokens: [JWTKey], apiKeys: APIKeys) -> AccessPolicy {
        AccessPolicy(
            apiKeys: apiKeys, tokens: JWTPolicy(audience: "payrelay", orderFields: OrderTokenVerdict.pinning),
            tokenKeys: orderTokens)
    }

    /// The key for a shell, for use within single quotes. A key from a file is not printed.
    var keyText: String { keyFile.map { "'\"$(cat \($0))\"'" } ?? key.exposed }
}
