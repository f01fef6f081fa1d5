import Crypto
public import Primitives

/// The secret that a backend sends: `payrelay_` and 32 random bytes in base64url. The prefix lets secret scanners find one
/// that leaked.
///
/// Another text is no key, whatever hash is configured. So no weak key can be chosen, and a plain SHA-256 is enough to
/// store it by.
public struct APIKey: Sendable, Redacted {
    private let secret: Secret
    /// The key itself. Search for this name to find every use.
    public var exposed: String { secret.exposed }

    static let prefix = "payrelay_"

    /// A new one, from the system's random numbers.
    public init() {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        secret = Secret(Self.prefix + Base64URL.encode(bytes))
    }

    /// Nil where the text is no such key.
    public init?(_ text: String) {
        guard text.hasPrefix(Self.prefix), Base64URL.decode(text.dropFirst(Self.prefix.count))?.count == 32 else {
            return nil
        }
        secret = Secret(text)
    }

    /// What is configured of it.
    var digest: SHA256.Digest { SHA256.hash(data: Array(exposed.utf8)) }

    public var description: String { secret.description }
}
