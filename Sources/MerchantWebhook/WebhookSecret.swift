import FoundationEssentials
public import Primitives

/// A key that the relay and the merchant's backend share, written as Standard Webhooks does: `whsec_` and the base64 of 24 to
/// 64 random bytes. It prints as `***`.
public struct WebhookSecret: Sendable, Equatable, Redacted {
    static let prefix = "whsec_"
    static let lengths = 24...64

    let key: [UInt8]

    /// - Throws: ``WebhookSecretError`` where it is not written so.
    public init(_ text: String) throws(WebhookSecretError) {
        guard text.hasPrefix(Self.prefix), let key = Data(base64Encoded: String(text.dropFirst(Self.prefix.count)))
        else { throw WebhookSecretError() }
        guard Self.lengths.contains(key.count) else { throw WebhookSecretError() }
        self.key = Array(key)
    }

    public var description: String { "***" }
}

/// A text is no ``WebhookSecret``.
public struct WebhookSecretError: Error, Equatable, CustomStringConvertible {
    public var description: String { "must be whsec_ and the base64 of 24 to 64 bytes" }
}
