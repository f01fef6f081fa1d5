public import ApplePayToken
public import FoundationEssentials

/// The SHA-256 of what Apple signed: the identity of a token, however it was written down.
public struct TokenDigest: Sendable, Hashable {
    /// 32 bytes, or 40 with the time before them.
    public let bytes: [UInt8]

    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    public init(of token: PaymentToken) {
        self.init(bytes: Array(token.digest))
    }

    /// A digest after the time at which Apple signed, as 8 bytes. It says nothing more, for one token has one such time; but
    /// tokens that come together are neighbours then, and a journal of millions finds and writes them in one place.
    ///
    /// - Parameter moment: as it was verified; nil where nobody has verified it, and whoever sends a token could choose it.
    public init(_ digest: TokenDigest, signedAt moment: Date?) {
        let seconds = moment.map { UInt64(clamping: Int64($0.timeIntervalSince1970)).bigEndian }
        let time = seconds.map { withUnsafeBytes(of: $0) { Array($0) } } ?? []
        self.init(bytes: time + digest.bytes)
    }
}
