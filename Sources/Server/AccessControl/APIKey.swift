import Crypto
public import PayrelayPrimitives

/// The secret that a backend sends: `payrelay_` and 32 random bytes in base64url. Secret scanners find a leaked one by its prefix.
///
/// No other text is a key, whatever hash is configured. So no key is weak, and a plain SHA-256 of it is safe to store.
public struct APIKey: Sendable, Redacted {
    private let secret: Secret
    /// The key itself. Search for this name to find every use.
    public var exposed: String { secret.exposed }

    static let prefix = "payrelay_"

    /// A new key, from the system's random numbers.
    public init() {
        secret = Secret(Self.prefix + Base64URL.encode(RandomBytes.make(32)))
    }

    /// Nil if the text is not a key.
    public init?(_ text: String) {
        guard text.after(Self.prefix).flatMap({ Base64URL.decode($0) })?.count == 32 else {
            return nil
        }
        secret = Secret(text)
    }

    /// The key's SHA-256, which the configuration holds in its place.
    var digest: SHA256.Digest { SHA256.hash(data: Array(exposed.utf8)) }

    public var description: String { secret.description }
}
