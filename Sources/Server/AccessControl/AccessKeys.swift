import Crypto
import PayrelayPrimitives

/// The configured keys of clients, or of operators. A holder may have several keys at once, so that the old key
/// stays valid while a new one is rolled out (S11). Each key has its own permissions.
public struct AccessKeys<Permission: KeyPermission>: Sendable, Equatable {
    public let entries: [KeyEntry<Permission>]

    public init(_ entries: [KeyEntry<Permission>] = []) {
        self.entries = entries
    }

    /// Reads one entry per line, or several entries separated by semicolons. Empty lines and comments, which
    /// begin with `#`, are skipped.
    ///
    /// - Throws: ``KeyLinesError`` with every invalid line.
    public init(parsing text: String) throws(KeyLinesError<Permission>) {
        var entries: [KeyEntry<Permission>] = []
        var errors: [KeyLinesError<Permission>.Line] = []
        for (index, line) in text.lines.flatMap({ $0.parts(at: ";") }).enumerated() {
            let content = line.cut(at: "#").before
            guard !content.words.isEmpty else { continue }
            do throws(KeyEntryError<Permission>) {
                let entry = try KeyEntry<Permission>(line: content)
                guard !entries.contains(where: { $0.digest == entry.digest }) else { throw .repeated }
                entries.append(entry)
            } catch {
                errors.append(.init(number: index + 1, error: error))
            }
        }
        guard errors.isEmpty else { throw KeyLinesError(lines: errors) }
        self.entries = entries
    }

    /// Returns the entry with this key, if any. Every entry is compared in constant time, as swift-crypto's `==`
    /// for digests guarantees. So the response time reveals neither how much of a digest matched nor which entry
    /// it was.
    public func entry(with key: AccessKey<Permission>) -> KeyEntry<Permission>? {
        let digest = key.digest
        var found: KeyEntry<Permission>?
        for entry in entries where digest == entry.digest { found = entry }
        return found
    }

    /// Returns the current entry of a key that was accepted before. Its permission may have changed. Returns
    /// `nil` if the key was removed.
    package func entry(of earlier: KeyEntry<Permission>) -> KeyEntry<Permission>? {
        entries.first { $0.isSame(as: earlier) }
    }
}

public typealias APIKeys = AccessKeys<Set<Scope>>
public typealias Operators = AccessKeys<OperatorRole>

/// A configured key: `holder permission sha256`, for example `shop payments:create,payments:read
/// 9f86d081884c7d65…` or `sara support 9f86d081884c7d65…`. Also an operator without a key, who signs in with
/// ``OperatorTokens``.
public struct KeyEntry<Permission: KeyPermission>: Sendable, Equatable, CustomStringConvertible {
    /// The holder's name, 1 to 64 characters. It is written to logs and to the history of payments.
    public let name: String
    public let permission: Permission
    /// The SHA-256 of the key's text, 32 bytes; empty for an operator without a key.
    let digest: [UInt8]

    /// Creates the entry for a key.
    ///
    /// - Throws: ``KeyEntryError`` if the name is invalid or no permission is given.
    public init(
        name: String, permission: Permission, key: AccessKey<Permission>
    ) throws(KeyEntryError<Permission>) {
        try self.init(name: name, permission: permission, digest: Array(key.digest))
    }

    init(line: Substring) throws(KeyEntryError<Permission>) {
        let words = line.words
        guard words.count == 3 else { throw .words(words.count) }
        let permission = try Permission(parsing: words[1])
        guard let digest = try? HexText(String(words[2])).bytes, digest.count == 32 else { throw .digest }
        try self.init(name: String(words[0]), permission: permission, digest: digest)
    }

    init(name: String, permission: Permission, digest: [UInt8]) throws(KeyEntryError<Permission>) {
        guard Self.isName(name) else { throw .name(name) }
        guard !permission.text.isEmpty else { throw .permission("") }
        self.name = name
        self.permission = permission
        self.digest = digest
    }

    static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                $0.isASCIILetter || $0.isASCIIDigit || Permission.marksOfNames.utf8.contains($0)
            }
    }

    /// Whether both entries are for the same holder with the same key, whatever they permit.
    package func isSame(as other: KeyEntry) -> Bool { name == other.name && digest == other.digest }

    /// The line to put into the configuration.
    public var description: String { "\(name) \(permission.text) \(digestText)" }

    /// The SHA-256 of the key, in hex.
    public var digestText: String { HexText(encoding: digest).text }
}

public typealias APIKeyEntry = KeyEntry<Set<Scope>>
public typealias OperatorEntry = KeyEntry<OperatorRole>

extension OperatorEntry {
    public var role: OperatorRole { permission }

    /// Whether the operator has no key and must present a token with each request.
    package var needsToken: Bool { digest.isEmpty }
}

/// The error with every line that is not a ``KeyEntry``.
public struct KeyLinesError<Permission: KeyPermission>: Error, Equatable, Sendable {
    public struct Line: Equatable, Sendable, CustomStringConvertible {
        /// The line number, counted from 1.
        public let number: Int
        public let error: KeyEntryError<Permission>

        public var description: String { "line \(number) \(error)" }
    }

    /// The invalid lines; never empty.
    public let lines: [Line]
}

/// Why a line is not a ``KeyEntry``. The message never quotes the digest, because an operator may have written
/// the key itself by mistake.
public enum KeyEntryError<Permission: KeyPermission>: Error, Equatable, Sendable, CustomStringConvertible {
    case words(Int)
    case name(String)
    case permission(String)
    case digest
    /// Another line has the same key.
    case repeated

    public var description: String {
        let (holder, permissions, permission) = Permission.words
        return switch self {
        case .words(let count): "has \(count) words, not three: \(holder), \(permissions), SHA-256 of the key"
        case .name(let name):
            "names the \(holder) \"\(name)\", which is not 1 to 64 of A-Z a-z 0-9 \(Permission.marksOfNames.unicodeScalars.map(String.init).joined(separator: " "))"
        case .permission(let text):
            "has the \(permission) \"\(text)\", which is none of \(Permission.texts.joined(separator: " "))"
        case .digest: "does not end in the 64 hexadecimal digits of a SHA-256"
        case .repeated: "has the key of another line"
        }
    }
}
