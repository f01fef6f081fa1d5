import COpenSSL

/// The public key in a certificate.
// Safe: nothing modifies the key once it is read, and OpenSSL lets threads share one that nothing modifies (openssl-threads(7)).
final class PublicKey: @unchecked Sendable {
    private let key: OpenSSLHandle

    /// - Parameter certificate: an `X509`. Its key outlives it.
    init(of certificate: OpaquePointer) throws(CheckFailure) {
        OpenSSLErrors.clear()
        key = try OpenSSLHandle(X509_get_pubkey(certificate), freedBy: EVP_PKEY_free, or: "a key cannot be read")
    }

    /// Verifies a signature over the SHA-256 of these bytes: in DER for elliptic curves, PKCS #1 v1.5 for RSA.
    ///
    /// - Throws: ``CheckFailure`` where this key did not make it.
    func verify(_ signature: ArraySlice<UInt8>, over bytes: [UInt8]) throws(CheckFailure) {
        OpenSSLErrors.clear()
        let context = try OpenSSLHandle(EVP_MD_CTX_new(), freedBy: EVP_MD_CTX_free, or: "out of memory")
        let isValid =
            EVP_DigestVerifyInit(context.pointer, nil, EVP_sha256(), nil, key.pointer) == 1
            && signature.withUnsafeBufferPointer { signature in
                EVP_DigestVerify(context.pointer, signature.baseAddress, signature.count, bytes, bytes.count) == 1
            }
        guard isValid else {
            throw CheckFailure(OpenSSLErrors.explain("the signer's key did not sign these attributes"))
        }
    }
}
