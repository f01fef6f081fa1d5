public import PayrelayPrimitives

public import struct FoundationEssentials.Date

/// A merchant's payment processing certificate. Apple encrypts tokens for its key, and the gateway, which has the
/// private key, decrypts them. Only the public part is used here.
public struct ProcessingCertificate: Hashable, Sendable {
    /// The SHA-256 of the public key (X.509 SubjectPublicKeyInfo in DER), which is also in the tokens for this
    /// certificate. It stays the same if the certificate is renewed with the same key.
    public let publicKeyHash: Base64Text
    /// The subject's distinguished name, in the form of RFC 2253.
    public let subject: String
    /// The time after which Apple no longer encrypts for this certificate.
    public let notAfter: Date
}

extension ProcessingCertificate {
    /// Reads the certificates in a file: one or more in PEM, or one in DER, as Apple's portal provides it.
    ///
    /// - Throws: ``PEMError``, even if only some of the certificates cannot be read.
    public static func all(inFile content: [UInt8]) throws(PEMError) -> [ProcessingCertificate] {
        do throws(CheckFailure) {
            return try OpenSSLHandle.certificates(inFile: content) { (certificate) throws(CheckFailure) in
                let end = try CertificateEnd(of: certificate, .paymentProcessing)
                return ProcessingCertificate(
                    publicKeyHash: end.publicKeyHash, subject: end.subject, notAfter: end.notAfter)
            }
        } catch {
            throw PEMError(description: error.reason)
        }
    }
}
