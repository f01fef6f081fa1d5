import COpenSSL
import Crypto
import Synchronization

/// A public key that is ready to verify signatures over SHA-256 digests: what OpenSSL prepares for a key is prepared
/// once.
///
/// Threads share the `EVP_PKEY` alone, which OpenSSL allows where nothing modifies it (openssl-threads(7), EVP_PKEY_up_ref(3)).
/// An `EVP_PKEY_CTX` is nobody's but one thread's at a time: copies are made, kept and given out under a lock, and each
/// verification has one of its own.
final class VerificationKey: Sendable {
    /// A context that one thread works with.
    // In the list of spare ones, or in one call of `verifies`: never in both, and never in two calls.
    private final class Context: @unchecked Sendable {
        let pointer: OpaquePointer

        /// - Parameter pointer: owned by this from here on.
        init(_ pointer: OpaquePointer) {
            self.pointer = pointer
        }

        deinit { EVP_PKEY_CTX_free(pointer) }
    }

    /// How many contexts are kept: about as many as threads verify at once.
    private static let sparesAtMost = 16

    // Copied while `spares` is locked, and otherwise not used.
    nonisolated(unsafe) private let prepared: OpenSSLHandle
    private let spares = Mutex<[Context]>([])

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
        guard let context = spares.withLock({ $0.popLast() ?? copy() }) else { return false }
        let isGenuine = signature.withUnsafeBufferPointer { signature in
            digest.withUnsafeBytes { digest in
                EVP_PKEY_verify(
                    context.pointer, signature.baseAddress, signature.count,
                    digest.bindMemory(to: UInt8.self).baseAddress, digest.count) == 1
            }
        }
        // One that failed may hold anything.
        if isGenuine {
            spares.withLock { if $0.count < Self.sparesAtMost { $0.append(context) } }
        }
        return isGenuine
    }

    private func copy() -> Context? {
        EVP_PKEY_CTX_dup(prepared.pointer).map { Context($0) }
    }
}
