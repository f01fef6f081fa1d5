import Crypto

/// Tells the same request again from another one: a SHA-256 over the fields as sent, in the order of their names, and the
/// token's digest. White space, member order and the token's shape do not count.
public struct RequestFingerprint: Sendable, Hashable {
    /// 32 bytes.
    public let bytes: [UInt8]

    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    public init(fields: [String: String], token: TokenDigest) {
        var content: [UInt8] = []
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            // With its length before it, no text can pass for the end of one field and the start of the next.
            content += "\(name)=\(value.utf8.count):".utf8
            content += value.utf8
        }
        bytes = Array(SHA256.hash(data: content + token.bytes))
    }
}
