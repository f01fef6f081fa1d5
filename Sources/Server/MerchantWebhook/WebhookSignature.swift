import Crypto
import FoundationEssentials
public import PayrelayPrimitives

/// The value of the header field `webhook-signature` of Standard Webhooks 1.0.0: for each key `v1,` and the base64 of
/// an HMAC-SHA256 over identifier, timestamp and body, with full stops between them; signatures with spaces between
/// them.
struct WebhookSignature: Equatable, CustomStringConvertible {
    let description: String

    /// - Parameters:
    ///   - identifier: without a full stop, so that nothing of it can pass for the timestamp.
    ///   - timestamp: when this attempt is made, in whole seconds since 1970.
    ///   - secrets: more than one while they are changed; the backend looks for one that it knows.
    init(identifier: String, timestamp: Int, body: [UInt8], secrets: [WebhookSecret]) {
        let content = Array("\(identifier).\(timestamp).".utf8) + body
        description = secrets.map { secret in
            let code = HMAC<SHA256>.authenticationCode(for: content, using: SymmetricKey(data: secret.key))
            return "v1," + Data(code).base64EncodedString()
        }.joined(separator: " ")
    }
}

/// A key that the relay and the merchant's backend share, written as Standard Webhooks does: `whsec_` and the base64 of 24 to
/// 64 random bytes. It prints as `***`.
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

    /// Returns the text of the key with these bytes, as it is configured on both sides.
    public static func text(of bytes: [UInt8]) -> String { prefix + Data(bytes).base64EncodedString() }

    public var description: String { "***" }
}

/// The text is not a ``WebhookSecret``.
public struct WebhookSecretError: Error, Equatable, CustomStringConvertible {
    public var description: String { "must be whsec_ and the base64 of 24 to 64 bytes" }
}
