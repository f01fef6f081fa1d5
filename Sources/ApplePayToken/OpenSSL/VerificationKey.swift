import COpenSSL
import Crypto

/// A public key that is ready to verify signatures over SHA-256 digests: what OpenSSL prepares for a key is prepared
/// once, and each verification works on a copy.
final class VerificationKey: Sendable {
    // Safe from all threads: once prepared it is only copied, which reads it and counts references atomically.
    nonisolated(unsafe) private let prepared: OpenSSLHandle

    /// - Parameter key: an `EVP_PKEY` of elliptic curves or RSA; it is kept alive as long as this is.
    init(_ key: OpaquePointer?) throws(Refusal) {
        OpenSSLErrors.clear()
        prepared = try OpenSSLHandle(
            EVP_PKEY_CTX_new_from_pkey(nil, key, nil), freedBy: EVP_PKEY_CTX_free, or: "OpenSSL does not take the key")
        // RSA wants to know the digest: it stands in the signature (RFC 8017, 9.2). The padding is then PKCS #1 v1.5.
        guard EVP_PKEY_verify_init(prepared.pointer) == 1,
            EVP_PKEY_CTX_set_signature_md(prepared.pointer, EVP_sha256()) == 1
        else { throw Refusal(OpenSSLErrors.explain("OpenSSL does not take the key")) }
    }

    /// Whether this key made the signature: in DER for elliptic curves, a number for RSA.
    func verifies(_ signature: ArraySlice<UInt8>, over digest: SHA256Digest) -> Bool {
        guard let context = EVP_PKEY_CTX_dup(prepared.pointer) else { return false }
        defer { EVP_PKEY_CTX_free(context) }
        return signature.withUnsafeBufferPointer { signature in
            digest.withUnsafeBytes { digest in
                EVP_PKEY_verify(
                    context, signature.baseAddress, signature.count,
                    digest.bindMemory(to: UInt8.self).baseAddress, digest.count) == 1
            }
        }
    }
}
