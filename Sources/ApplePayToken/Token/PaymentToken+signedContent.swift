public import Crypto

extension PaymentToken {
    /// What the signature covers: the decoded bytes of `ephemeralPublicKey` (EC_v1) or `wrappedKey` (RSA_v1), `data`,
    /// `transactionId` and `applicationData`, one after another (Apple's step 1.d).
    public var signedContent: [UInt8] {
        let key = header.ephemeralPublicKey ?? header.wrappedKey
        return (key?.bytes ?? []) + data.bytes + header.transactionId.bytes + (header.applicationData?.bytes ?? [])
    }

    /// SHA-256 of ``signedContent``: the payment's identity. It stays the same when the token is written in another
    /// shape, and when someone alters the ECDSA signature into its equally valid twin.
    public var digest: SHA256Digest {
        var digest = SHA256()
        if let key = header.ephemeralPublicKey ?? header.wrappedKey { digest.update(data: key.bytes) }
        digest.update(data: data.bytes)
        digest.update(data: header.transactionId.bytes)
        if let applicationData = header.applicationData { digest.update(data: applicationData.bytes) }
        return digest.finalize()
    }
}
