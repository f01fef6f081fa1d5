import PayrelayPrimitives
import Crypto

/// The API keys that are configured. A client may have several at once, so that an old one stays valid while a new one is
/// rolled out (S11).
public struct APIKeys: Sendable, Equatable {
    public let entries: [APIKeyEntry]

    /// No keys.
    public init() {
        entries = []
    }

    /// Reads one entry per line, or several with semicolons between them; empty lines and what follows a `#` are skipped.
    ///
    /// - Throws: ``APIKeysError``, with every invalid line.
    public init(parsing text: String) throws(APIKeysError) {
        var entries: [APIKeyEntry] = []
        var errors: [APIKeysError.Line] = []
        for (index, line) in text.lines.flatMap({ $0.parts(at: ";") }).enumerated() {
            let content = line.cut(at: "#").before
            guard !content.words.isEmpty else { continue }
            do throws(APIKeyError) {
                let entry = try APIKeyEntry(line: content)
                guard !entries.contains(where: { $0.digest == entry.digest }) else { throw .repeated }
                entries.append(entry)
            } catch {
                errors.append(.init(number: index + 1, error: error))
            }
        }
        guard errors.isEmpty else { throw APIKeysError(lines: errors) }
        self.entries = entries
    }

    /// The client that has this key; nil where none has.
    public func authenticate(with key: APIKey) -> AuthenticatedClient? {
        let digest = key.digest
        var found: APIKeyEntry?
        // Every entry is compared, each in constant time, as swift-crypto's `==` of a digest promises. So the time reveals neither
        // how much of a digest matched nor which entry it was.
        for entry in entries where digest == entry.digest { found = entry }
        return found.map { AuthenticatedClient(name: $0.client, scopes: $0.scopes) }
    }
}

/// Every line that is not an ``APIKeyEntry``.
public struct APIKeysError: Error, Equatable, Sendable {
    public struct Line: Equatable, Sendable, CustomStringConvertible {
        /// Counted from 1.
        public let number: Int
        public let error: APIKeyError

        public var description: String { "line \(number) \(error)" }
    }

    /// Never empty.
    public let lines: [Line]
}

/// An API key as operators configure it: `client scopes sha256`, for example
/// `shop payments:create,payments:read 9f86d081884c7d65…`.
public struct APIKeyEntry: Sendable, Equatable, CustomStringConvertible {
    public let client: String
    public let scopes: Set<Scope>
    /// SHA-256 of the key's text, 32 bytes.
    let digest: [UInt8]

    /// The entry for a key.
    ///
    /// - Throws: ``APIKeyError`` where the client's name is invalid, or there are no scopes.
    public init(client: String, scopes: Set<Scope>, key: APIKey) throws(APIKeyError) {
        try self.init(client: client, scopes: scopes, digest: Array(key.digest))
    }

    init(line: Substring) throws(APIKeyError) {
        let words = line.words
        guard words.count == 3 else { throw .words(words.count) }
        let scopes = try Scope.set(parsing: words[1])
        guard let digest = Self.digest(hex: words[2]) else { throw .digest }
        try self.init(client: String(words[0]), scopes: scopes, digest: digest)
    }

    private init(client: String, scopes: Set<Scope>, digest: [UInt8]) throws(APIKeyError) {
        guard AuthenticatedClient.isName(client) else { throw .client(client) }
        guard !scopes.isEmpty else { throw .scope("") }
        self.client = client
        self.scopes = scopes
        self.digest = digest
    }

    /// The line to configure.
    public var description: String {
        let scopes = Scope.allCases.filter(scopes.contains).map(\.rawValue).joined(separator: ",")
        return "\(client) \(scopes) \(HexText(encoding: digest).text)"
    }

    private static func digest(hex: Substring) -> [UInt8]? {
        guard let digest = try? HexText(String(hex)).bytes, digest.count == 32 else { return nil }
        return digest
    }
}

/// Why a line is not an ``APIKeyEntry``. It never quotes the digest, where an operator may have put the key itself by mistake.
public enum APIKeyError: Error, Equatable, Sendable, CustomStringConvertible {
    case words(Int)
    case client(String)
    case scope(String)
    case digest
    /// The key is that of another line.
    case repeated

    public var description: String {
        switch self {
        case .words(let count): "has \(count) words, not three: client, scopes, SHA-256 of the key"
        case .client(let name): "names the client \"\(name)\", which is not 1 to 64 of A-Z a-z 0-9 . _ -"
        case .scope(let name):
            "has the scope \"\(name)\", which is none of \(Scope.allCases.map(\.rawValue).joined(separator: " "))"
        case .digest: "does not end in the 64 hexadecimal digits of a SHA-256"
        case .repeated: "has the key of another line"
        }
    }
}
