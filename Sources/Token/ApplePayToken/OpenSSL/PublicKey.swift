import COpenSSL
import Crypto

/// The public key in a certificate, which verifies signatures over a SHA-256.
enum PublicKey: Sendable {
    /// A key on P-256, as in Apple's leaf. For such a key, swift-crypto needs a fifth less time than OpenSSL 3.0.
    case p256(P256.Signing.PublicKey)
    case openSSL(OpenSSLKey)

    /// - Parameter certificate: an `X509`. The key stays valid when the certificate is freed.
    init(of certificate: OpaquePointer) throws(CheckFailure) {
        if let point = Self.pointOnP256(of: certificate),
            let key = try? P256.Signing.PublicKey(x963Representation: point)
        {
            self = .p256(key)
        } else {
            self = .openSSL(try OpenSSLKey(of: certificate))
        }
    }

    /// Returns the key in the format of X9.63 if it is on P-256; `nil` for any other key.
    ///
    /// The kind of the key comes from OpenSSL, because swift-crypto reads a key without its algorithm.
    private static func pointOnP256(of certificate: OpaquePointer) -> [UInt8]? {
        defer { OpenSSLErrors.clear() }
        guard let key = X509_get0_pubkey(certificate), EVP_PKEY_is_a(key, "EC") == 1 else { return nil }
        var curve = [CChar](repeating: 0, count: 64)
        guard EVP_PKEY_get_group_name(key, &curve, curve.count, nil) == 1, strcmp(curve, "prime256v1") == 0 else {
            return nil
        }
        return try? encode { CInt(clamping: EVP_PKEY_get1_encoded_public_key(key, $0)) }
    }

    /// Verifies a signature over the SHA-256 of these bytes. The signature is in DER for elliptic curves, and in
    /// PKCS #1 v1.5 for RSA.
    ///
    /// - Throws: ``CheckFailure`` if this key did not make the signature.
    func verify(_ signature: ArraySlice<UInt8>, over bytes: [UInt8]) throws(CheckFailure) {
        let digest = SHA256.hash(data: bytes)
        switch self {
        case .p256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature),
                key.isValidSignature(signature, for: digest)
            else { throw CheckFailure(Self.refusal) }
        case .openSSL(let key):
            guard try key.made(signature, over: digest) else {
                throw CheckFailure(OpenSSLErrors.explain(Self.refusal))
            }
        }
    }

    private static let refusal = "the signer's key did not sign these attributes"
}

/// A key with which OpenSSL verifies, prepared for many signatures.
// Safe: nothing modifies the context after its creation. Threads only copy it, which counts references to its
// shared parts atomically. Each thread verifies with its copy (openssl-threads(7)).
final class OpenSSLKey: @unchecked Sendable {
    private let prepared: OpenSSLHandle

    fileprivate init(of certificate: OpaquePointer) throws(CheckFailure) {
        OpenSSLErrors.clear()
        prepared = try OpenSSLHandle(
            EVP_PKEY_CTX_new_from_pkey(nil, X509_get0_pubkey(certificate), nil), freedBy: EVP_PKEY_CTX_free,
            or: "OpenSSL does not take the key")
        // RSA needs the digest algorithm, because the signature contains it (RFC 8017, 9.2). The default padding
        // is PKCS #1 v1.5.
        guard EVP_PKEY_verify_init(prepared.pointer) == 1,
            EVP_PKEY_CTX_set_signature_md(prepared.pointer, EVP_sha256()) == 1
        else { throw CheckFailure(OpenSSLErrors.explain("OpenSSL does not take the key")) }
    }

    fileprivate func made(_ signature: ArraySlice<UInt8>, over digest: SHA256Digest) throws(CheckFailure) -> Bool {
        OpenSSLErrors.clear()
        let context = try OpenSSLHandle(
            EVP_PKEY_CTX_dup(prepared.pointer), freedBy: EVP_PKEY_CTX_free, or: "out of memory")
        return signature.withUnsafeBufferPointer { signature in
            digest.withUnsafeBytes { digest in
                EVP_PKEY_verify(
                    context.pointer, signature.baseAddress, signature.count,
                    digest.bindMemory(to: UInt8.self).baseAddress, digest.count) == 1
            }
        }
    }
}
