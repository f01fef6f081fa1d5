import Crypto

/// Distinguishes the same request, sent again, from another one: a SHA-256 over the fields as sent, in the order of
/// their names, and the digest of the token, where there is one. White space, member order and the token's shape do not count.
public struct RequestFingerprint: Sendable, Hashable {
    /// 32 bytes.
    public let bytes: [UInt8]

    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    public init(fields: [String: String], token: TokenDigest?) {
        var content: [UInt8] = []
        content.reserveCapacity(1_024)
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            content += name.utf8
            content.append(UInt8(ascii: "="))
            // With its length before it, no text can pass for the end of one field and the start of the next.
            content += String(value.utf8.count).utf8
            content.append(UInt8(ascii: ":"))
            content += value.utf8
        }
        if let token { content += token.bytes }
        bytes = SHA256.hash(data: content).withUnsafeBytes { Array($0) }
    }
}
