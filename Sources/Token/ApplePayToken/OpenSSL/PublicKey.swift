import COpenSSL
import Crypto

/// The public key in a certificate, prepared for verifying many signatures over a SHA-256.
// Safe: nothing modifies the context once it is made. Threads only copy it, which counts references to what it shares, atomically, and
// each verifies with a copy of its own (openssl-threads(7)).
final class PublicKey: @unchecked Sendable {
    private let prepared: OpenSSLHandle

    /// - Parameter certificate: an `X509`. Its key outlives it.
    init(of certificate: OpaquePointer) throws(CheckFailure) {
        OpenSSLErrors.clear()
        prepared = try OpenSSLHandle(
            EVP_PKEY_CTX_new_from_pkey(nil, X509_get0_pubkey(certificate), nil), freedBy: EVP_PKEY_CTX_free,
            or: "OpenSSL does not take the key")
        // RSA wants to know the digest: it stands in the signature (RFC 8017, 9.2). The padding is then PKCS #1 v1.5.
        guard EVP_PKEY_verify_init(prepared.pointer) == 1,
            EVP_PKEY_CTX_set_signature_md(prepared.pointer, EVP_sha256()) == 1
        else { throw CheckFailure(OpenSSLErrors.explain("OpenSSL does not take the key")) }
    }

    /// Verifies a signature over the SHA-256 of these bytes: in DER for elliptic curves, PKCS #1 v1.5 for RSA.
    ///
    /// - Throws: ``CheckFailure`` where this key did not make it.
    func verify(_ signature: ArraySlice<UInt8>, over bytes: [UInt8]) throws(CheckFailure) {
        OpenSSLErrors.clear()
        let context = try OpenSSLHandle(
            EVP_PKEY_CTX_dup(prepared.pointer), freedBy: EVP_PKEY_CTX_free, or: "out of memory")
        let isValid = signature.withUnsafeBufferPointer { signature in
            SHA256.hash(data: bytes).withUnsafeBytes { digest in
                EVP_PKEY_verify(
                    context.pointer, signature.baseAddress, signature.count,
                    digest.bindMemory(to: UInt8.self).baseAddress, digest.count) == 1
            }
        }
        guard isValid else {
            throw CheckFailure(OpenSSLErrors.explain("the signer's key did not sign these attributes"))
        }
    }
}
