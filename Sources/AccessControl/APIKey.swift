import Crypto

/// The secret that a backend sends: `payrelay_` and 32 random bytes in base64url. The prefix lets secret scanners find one
/// that leaked.
///
/// Another text is no key, whatever hash is configured. So nobody can choose a weak one, and a plain SHA-256 is enough to
/// store it by.
public struct APIKey: Sendable, CustomStringConvertible, CustomReflectable {
    /// The key itself. Every use is a place to look at.
    public let exposed: String

    static let prefix = "payrelay_"

    /// A new one, from the system's random numbers.
    public init() {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        exposed = Self.prefix + Base64URL.encode(bytes)
    }

    /// Nil where the text is no such key.
    public init?(_ text: String) {
        guard text.hasPrefix(Self.prefix), Base64URL.decode(text.dropFirst(Self.prefix.count))?.count == 32 else {
            return nil
        }
        exposed = text
    }

    /// What is configured of it.
    var digest: SHA256.Digest { SHA256.hash(data: Array(exposed.utf8)) }

    public var description: String { "***" }

    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
