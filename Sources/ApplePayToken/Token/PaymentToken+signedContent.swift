import Primitives
import Crypto

extension PaymentToken {
    /// What the signature covers: the decoded bytes of `ephemeralPublicKey` (EC_v1) or `wrappedKey` (RSA_v1), `data`,
    /// `transactionId` and `applicationData`, one after another (Apple's step 1.d).
    public var signedContent: [UInt8] { Self.signedParts(data, header).flatMap { $0 } }

    /// The content's digest, without a copy of the content.
    static func digest(of data: Base64Text, _ header: Header) -> SHA256Digest {
        var digest = SHA256()
        for part in signedParts(data, header) {
            part.withUnsafeBytes { digest.update(bufferPointer: $0) }
        }
        return digest.finalize()
    }

    private static func signedParts(_ data: Base64Text, _ header: Header) -> [[UInt8]] {
        let key = header.ephemeralPublicKey ?? header.wrappedKey
        return [key?.bytes ?? [], data.bytes, header.transactionId.bytes, header.applicationData?.bytes ?? []]
    }
}
