public import ApplePayToken
public import Crypto

/// The SHA-256 of what Apple signed: the identity of a token, however it was written down and whether or not it is
/// verified.
public struct TokenDigest: Sendable, Hashable {
    private let digest: SHA256Digest

    /// 32 bytes.
    public var bytes: [UInt8] { digest.withUnsafeBytes { Array($0) } }

    /// The 32 bytes without a copy.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try digest.withUnsafeBytes(body)
    }

    public init(_ digest: SHA256Digest) {
        self.digest = digest
    }

    public init(of token: PaymentToken) {
        self.init(token.digest)
    }

    /// One digest for all tokens of the iOS Simulator. Apple does not sign them, and nothing distinguishes them.
    public static let simulator = TokenDigest(SHA256.hash(data: Array(PaymentToken.simulatedIdentifier.utf8)))
}
