import ApplePayToken
public import Crypto
import PayrelayPrimitives

/// Distinguishes a repeated request from a different one. It is a SHA-256 over the fields as sent, in the order of
/// their names, and the digest of the token, if there is one. White space, member order and the token's shape do
/// not count.
public struct RequestFingerprint: Sendable, Hashable {
    /// Replaces the token's digest for all tokens of the iOS Simulator: Apple does not sign them, and nothing
    /// distinguishes them.
    public static let simulatorToken = SHA256.hash(data: Array(PaymentToken.simulatedIdentifier.utf8))

    /// 32 bytes.
    public let bytes: [UInt8]

    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    public init(fields: [String: String], token: SHA256Digest?) {
        var content = ByteWriter(capacity: 1_024)
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            content.append(name)
            content.append(UInt8(ascii: "="))
            // With its length before it, a value cannot imitate the end of its field and the start of the next.
            content.append(String(value.utf8.count))
            content.append(UInt8(ascii: ":"))
            content.append(value)
        }
        if let token { token.withUnsafeBytes { content.append($0.assumingMemoryBound(to: UInt8.self)) } }
        bytes = content.withBytes { SHA256.hash(data: $0) }.withUnsafeBytes { Array($0) }
    }
}
