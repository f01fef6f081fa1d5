import Crypto
import PayrelayPrimitives

/// The operators that are configured. One may have several keys at once, so that an old one stays valid while a new one is handed
/// out; each key has a role of its own.
public struct Operators: Sendable, Equatable {
    public let entries: [OperatorEntry]

    /// No operators.
    public init() {
        entries = []
    }

    public init(_ entries: [OperatorEntry]) {
        self.entries = entries
    }

    /// Reads one entry per line, or several with semicolons between them; empty lines and what follows a `#` are skipped.
    ///
    /// - Throws: ``OperatorsError``, with every invalid line.
    public init(parsing text: String) throws(OperatorsError) {
        var entries: [OperatorEntry] = []
        var errors: [OperatorsError.Line] = []
        let lines = text.lines.flatMap { $0.parts(at: ";") }
        for (index, line) in lines.enumerated() {
            let content = line.cut(at: "#").before
            guard !content.words.isEmpty else { continue }
            do throws(OperatorError) {
                let entry = try OperatorEntry(line: content)
                guard !entries.contains(where: { $0.digest == entry.digest }) else { throw .repeated }
                entries.append(entry)
            } catch {
                errors.append(.init(number: index + 1, error: error))
            }
        }
        guard errors.isEmpty else { throw OperatorsError(lines: errors) }
        self.entries = entries
    }

    /// The entry with this key, if any. Every entry is compared, each in constant time, so that the time reveals
    /// neither how much of a digest matched nor which entry it was.
    public func entry(with key: OperatorKey) -> OperatorEntry? {
        let digest = key.digest
        var found: OperatorEntry?
        for entry in entries where digest == entry.digest { found = entry }
        return found
    }

    /// The entry of a key that was accepted before, as it is now: with another role perhaps, or nil once it was removed.
    func entry(of earlier: OperatorEntry) -> OperatorEntry? {
        entries.first { $0.digest == earlier.digest && $0.name == earlier.name }
    }
}

/// An operator as configured: `name role sha256`, for example `sara support 9f86d081884c7d65…`; or one whom ``OperatorTokens`` know.
public struct OperatorEntry: Sendable, Equatable, CustomStringConvertible {
    /// 1 to 64 of `A-Z a-z 0-9 . _ @ + -`. It stands in the history of payments.
    public let name: String
    public let role: OperatorRole
    /// SHA-256 of the key's text, 32 bytes; empty for an operator without a key.
    let digest: [UInt8]

    /// The entry for a key.
    ///
    /// - Throws: ``OperatorError`` where the name is invalid.
    public init(name: String, role: OperatorRole, key: OperatorKey) throws(OperatorError) {
        try self.init(name: name, role: role, digest: Array(key.digest))
    }

    init(line: Substring) throws(OperatorError) {
        let words = line.words
        guard words.count == 3 else { throw .words(words.count) }
        guard let role = OperatorRole(rawValue: String(words[1])) else { throw .role(String(words[1])) }
        guard let digest = try? HexText(String(words[2])).bytes, digest.count == 32 else { throw .digest }
        try self.init(name: String(words[0]), role: role, digest: digest)
    }

    /// An operator without a key.
    init(name: String, role: OperatorRole) throws(OperatorError) { try self.init(name: name, role: role, digest: []) }

    /// Whether it takes a token with each request to be this operator.
    package var needsToken: Bool { digest.isEmpty }

    /// Whether both are one operator by one proof, in whatever role.
    package func isSame(as other: OperatorEntry) -> Bool { name == other.name && digest == other.digest }

    private init(name: String, role: OperatorRole, digest: [UInt8]) throws(OperatorError) {
        guard Self.isName(name) else { throw .name(name) }
        self.name = name
        self.role = role
        self.digest = digest
    }

    /// Identity providers name people by their email.
    private static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || ".-_@+".utf8.contains($0) }
    }

    /// The line to configure.
    public var description: String { "\(name) \(role.rawValue) \(HexText(encoding: digest).text)" }
}

/// Every line that is not an ``OperatorEntry``.
public struct OperatorsError: Error, Equatable, Sendable {
    public struct Line: Equatable, Sendable, CustomStringConvertible {
        /// Counted from 1.
        public let number: Int
        public let error: OperatorError

        public var description: String { "line \(number) \(error)" }
    }

    /// Never empty.
    public let lines: [Line]
}

/// Why a line is not an ``OperatorEntry``. It never quotes the digest, where the key itself may stand by mistake.
public enum OperatorError: Error, Equatable, Sendable, CustomStringConvertible {
    case words(Int)
    case name(String)
    case role(String)
    case digest
    /// The key is that of another line.
    case repeated

    public var description: String {
        switch self {
        case .words(let count): "has \(count) words, not three: name, role, SHA-256 of the key"
        case .name(let name): "names the operator \"\(name)\", which is not 1 to 64 of A-Z a-z 0-9 . _ @ + -"
        case .role(let role):
            "has the role \"\(role)\", which is none of \(OperatorRole.allCases.map(\.rawValue).joined(separator: " "))"
        case .digest: "does not end in the 64 hexadecimal digits of a SHA-256"
        case .repeated: "has the key of another line"
        }
    }
}
