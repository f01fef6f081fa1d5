public import ApplePayToken

/// The SHA-256 of what Apple signed: the identity of a token, however it was written down.
public struct TokenDigest: Sendable, Hashable {
    /// 32 bytes.
    public let bytes: [UInt8]

    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    public init(of token: PaymentToken) {
        self.init(bytes: Array(token.digest))
    }
}
