import Primitives
import COpenSSL
import Crypto

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
