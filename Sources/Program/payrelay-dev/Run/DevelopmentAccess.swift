import AccessControl
import CommandLineParts
import Composition
import HTTPListener
import PayrelayPrimitives

/// How clients of a development relay authenticate: with one API key, or with order tokens.
struct DevelopmentAccess {
    let key: APIKey
    /// The absolute path that the key was read from; nil for a new one.
    let keyFile: String?

    /// - Parameter keyFile: a file with an API key; nil for a new one.
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

    /// The key and order tokens.
    func policy(_ orderTokens: [JWTKey]) throws -> AccessPolicy {
        let entry = try APIKeyEntry(name: "dev", permission: Set(Scope.allCases), key: key)
        return Self.policy(orderTokens, apiKeys: try APIKeys(parsing: entry.description))
    }

    /// Order tokens alone.
    static func ofOrderTokens(_ keys: [JWTKey]) throws -> AccessPolicy {
        policy(keys, apiKeys: try APIKeys(parsing: ""))
    }

    private static func policy(_ orderTokens: [JWTKey], apiKeys: APIKeys) -> AccessPolicy {
        AccessPolicy(
            apiKeys: apiKeys, tokens: JWTPolicy(audience: "payrelay", orderFields: OrderTokenVerdict.pinning),
            tokenKeys: orderTokens)
    }

    /// The key for a shell, within single quotes. A given key is not printed.
    var keyText: String { keyFile.map { "'\"$(cat \($0))\"'" } ?? key.exposed }
}
