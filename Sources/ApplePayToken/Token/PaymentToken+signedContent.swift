import Crypto

extension PaymentToken {
    /// What the signature covers: the decoded bytes of `ephemeralPublicKey` (EC_v1) or `wrappedKey` (RSA_v1), `data`,
    /// `transactionId` and `applicationData`, one after another (Apple's step 1.d).
    public var signedContent: [UInt8] {
        header.signedKey + data.bytes + header.transactionId.bytes + (header.applicationData?.bytes ?? [])
    }

    /// The content's digest, without a copy of the content.
    static func digest(of data: Base64Text, _ header: Header) -> SHA256Digest {
        var digest = SHA256()
        let applicationData = header.applicationData?.bytes ?? []
        for bytes in [header.signedKey, data.bytes, header.transactionId.bytes, applicationData] {
            bytes.withUnsafeBytes { digest.update(bufferPointer: $0) }
        }
        return digest.finalize()
    }
}

extension PaymentToken.Header {
    /// The key that is part of what is signed.
    fileprivate var signedKey: [UInt8] { (ephemeralPublicKey ?? wrappedKey)?.bytes ?? [] }
}
