import Crypto
public import PayrelayPrimitives

/// The secret that an operator logs in with: `payrelay_op_` and 32 random bytes in base64url. It is no ``APIKey``, and an API key is
/// none of these.
public struct OperatorKey: Sendable, Redacted {
    private let secret: Secret
    /// The key itself. Search for this name to find every use.
    public var exposed: String { secret.exposed }

    private static let prefix = "payrelay_op_"

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
