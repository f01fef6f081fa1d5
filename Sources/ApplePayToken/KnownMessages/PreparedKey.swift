import COpenSSL
import Crypto
import Synchronization

/// A public key prepared once for verifying many signatures over SHA-256 digests.
///
/// Threads share the `EVP_PKEY` alone, which OpenSSL allows where nothing modifies it (openssl-threads(7)). An `EVP_PKEY_CTX`
/// belongs to one thread at a time: there are several, each behind a lock, and a verification takes a free one. A context
/// may be used for any number of verifications, one after the other (EVP_PKEY_verify(3)).
final class PreparedKey: Sendable {
    // Safe: the only owner of what it points to. It cannot be copied, and is used under the lock of its place alone.
    private struct Context: ~Copyable, @unchecked Sendable {
        let pointer: OpaquePointer

        deinit { EVP_PKEY_CTX_free(pointer) }
    }

    private final class Place: Sendable {
        let context: Mutex<Context>

        init(_ context: consuming Context) {
            self.context = Mutex(context)
        }
    }

    /// About as many as threads verify at once; a thread that finds none free waits for one.
    private static let placeCount = 16

    private let places: [Place]

    /// - Parameter key: an `EVP_PKEY` of elliptic curves or RSA; it is kept alive as long as this is.
    init(_ key: OpaquePointer?) throws(CheckFailure) {
        OpenSSLErrors.clear()
        let prepared = try OpenSSLHandle(
            EVP_PKEY_CTX_new_from_pkey(nil, key, nil), freedBy: EVP_PKEY_CTX_free, or: "OpenSSL does not take the key")
        // RSA wants to know the digest: it stands in the signature (RFC 8017, 9.2). The padding is then PKCS #1 v1.5.
        guard EVP_PKEY_verify_init(prepared.pointer) == 1,
            EVP_PKEY_CTX_set_signature_md(prepared.pointer, EVP_sha256()) == 1
        else { throw CheckFailure(OpenSSLErrors.explain("OpenSSL does not take the key")) }
        var places: [Place] = []
        for _ in 0..<Self.placeCount {
            guard let copy = EVP_PKEY_CTX_dup(prepared.pointer) else {
                throw CheckFailure(OpenSSLErrors.explain("OpenSSL does not copy what it prepared"))
            }
            places.append(Place(Context(pointer: copy)))
        }
        self.places = places
    }

    /// Whether this key made the signature: in DER for elliptic curves, a number for RSA.
    func verifies(_ signature: ArraySlice<UInt8>, over digest: SHA256Digest) -> Bool {
        for place in places {
            let answer = place.context.withLockIfAvailable { context in
                Self.verifies(signature, over: digest, in: context)
            }
            if let answer { return answer }
        }
        return places[Int.random(in: places.indices)].context.withLock { context in
            Self.verifies(signature, over: digest, in: context)
        }
    }

    private static func verifies(
        _ signature: ArraySlice<UInt8>, over digest: SHA256Digest, in context: borrowing Context
    ) -> Bool {
        let pointer = context.pointer
        return signature.withUnsafeBufferPointer { signature in
            digest.withUnsafeBytes { digest in
                EVP_PKEY_verify(
                    pointer, signature.baseAddress, signature.count,
                    digest.bindMemory(to: UInt8.self).baseAddress, digest.count) == 1
            }
        }
    }
}
