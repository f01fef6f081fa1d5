import Crypto
import FoundationEssentials
public import PayrelayPrimitives

/// The value of the header field `webhook-signature` (Standard Webhooks 1.0.0). For each key it has a signature:
/// `v1,` followed by the base64 of an HMAC-SHA256 over the identifier, the timestamp and the body, joined by full
/// stops. The signatures are separated by spaces.
struct WebhookSignature: Equatable, CustomStringConvertible {
    let description: String

    /// - Parameters:
    ///   - identifier: the identifier of the event. It has no full stop, so no part of it can be read as the
    ///     timestamp.
    ///   - timestamp: the time of this attempt, in whole seconds since 1970.
    ///   - secrets: the keys. There is more than one while the key is being changed; the backend accepts any key
    ///     that it knows.
    init(identifier: String, timestamp: Int, body: [UInt8], secrets: [WebhookSecret]) {
        let content = Array("\(identifier).\(timestamp).".utf8) + body
        description = secrets.map { secret in
            let code = HMAC<SHA256>.authenticationCode(for: content, using: SymmetricKey(data: secret.key))
            return "v1," + Data(code).base64EncodedString()
        }.joined(separator: " ")
    }
}

/// A key that the relay and the merchant's backend share, in the form of Standard Webhooks: `whsec_` followed by
/// the base64 of 24 to 64 random bytes. It is printed as `***`.
public struct WebhookSecret: Sendable, Equatable, Redacted {
    static let prefix = "whsec_"
    static let lengths = 24...64

    let key: [UInt8]

    /// - Throws: ``WebhookSecretError`` if the text has another form.
    public init(_ text: String) throws(WebhookSecretError) {
        guard let encoded = text.after(Self.prefix), let key = Data(base64Encoded: String(encoded))
        else { throw WebhookSecretError() }
        guard Self.lengths.contains(key.count) else { throw WebhookSecretError() }
        self.key = Array(key)
    }

    /// Returns the text of a key, as it is configured on both sides.
    public static func text(of bytes: [UInt8]) -> String { prefix + Data(bytes).base64EncodedString() }

    public var description: String { "***" }
}

/// The error if a text is not a ``WebhookSecret``.
public struct WebhookSecretError: Error, Equatable, CustomStringConvertible {
    public var description: String { "must be whsec_ and the base64 of 24 to 64 bytes" }
}
