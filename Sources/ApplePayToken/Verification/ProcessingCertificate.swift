import COpenSSL
import Crypto
public import PayrelayPrimitives

/// A merchant's payment processing certificate: Apple encrypts tokens for its key, and FORT, which has the private key, decrypts
/// them. Only the public part is used here.
public struct ProcessingCertificate: Hashable, Sendable {
    /// SHA-256 of the public key (X.509 SubjectPublicKeyInfo in DER), as the tokens made for it carry it.
    public let publicKeyHash: Base64Text
    /// The subject's distinguished name, in the form of RFC 2253.
    public let subject: String

    init(publicKeyHash: Base64Text, subject: String) {
        self.publicKeyHash = publicKeyHash
        self.subject = subject
    }
}

extension ProcessingCertificate {
    /// Takes the subject and the public key of a certificate in PEM; there must be exactly one in the text.
    ///
    /// - Throws: ``PEMError``.
    public init(pem: String) throws(PEMError) {
        do throws(CheckFailure) {
            let certificate = try OpenSSLHandle.certificate(pem: pem)
            let key = try encode { i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate.pointer), $0) }
            self.init(
                publicKeyHash: Base64Text(encoding: Array(SHA256.hash(data: key))),
                subject: try Certificate(certificate.pointer).subject)
        } catch {
            throw PEMError(description: error.reason)
        }
    }
}
