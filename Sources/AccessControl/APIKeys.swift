import Crypto

/// The keys that let backends in. A client may have several at once, so that an old one stays valid while a new one is rolled
/// out.
public struct APIKeys: Sendable, Equatable {
    public let entries: [APIKeyEntry]

    /// None: nobody has one.
    public init() {
        entries = []
    }

    /// Reads one entry per line, or several with semicolons between them; empty lines and what follows a `#` are skipped.
    ///
    /// - Throws: ``APIKeysError``, with every line at fault.
    public init(parsing text: String) throws(APIKeysError) {
        var entries: [APIKeyEntry] = []
        var faults: [APIKeysError.Fault] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: Self.endsEntry).enumerated() {
            let content = line.prefix { $0 != "#" }
            guard !content.allSatisfy(\.isWhitespace) else { continue }
            do throws(APIKeyError) {
                let entry = try APIKeyEntry(line: content)
                guard !entries.contains(where: { $0.digest == entry.digest }) else { throw .repeated }
                entries.append(entry)
            } catch {
                faults.append(.init(line: index + 1, fault: error))
            }
        }
        guard faults.isEmpty else { throw APIKeysError(faults: faults) }
        self.entries = entries
    }

    /// Whose key it is; nil where it is nobody's.
    public func authenticate(with key: APIKey) -> AuthenticatedClient? {
        let digest = key.digest
        var found: APIKeyEntry?
        // Every entry is compared, and each in constant time, which is what swift-crypto's `==` of a digest promises. The time
        // tells neither how much of a digest was right nor which entry it was.
        for entry in entries where digest == entry.digest { found = entry }
        return found.map { AuthenticatedClient(name: $0.client, scopes: $0.scopes) }
    }

    private static func endsEntry(_ character: Character) -> Bool { character.isNewline || character == ";" }
}

/// Every line that is no ``APIKeyEntry``.
public struct APIKeysError: Error, Equatable, Sendable {
    public struct Fault: Equatable, Sendable, CustomStringConvertible {
        /// Counted from 1.
        public let line: Int
        public let fault: APIKeyError

        public var description: String { "line \(line) \(fault)" }
    }

    /// Never empty.
    public let faults: [Fault]
}
