import COpenSSL
import Crypto
public import PayrelayPrimitives

extension CertificateEnd {
    /// Reads the expiry of a certificate in DER.
    ///
    /// - Throws: ``PEMError``.
    public init(_ kind: Kind, der: [UInt8]) throws(PEMError) {
        do throws(CheckFailure) {
            let ends = try OpenSSLHandle.certificates(inFile: der) { (certificate) throws(CheckFailure) in
                try CertificateEnd(of: certificate, kind)
            }
            guard ends.count == 1 else { throw CheckFailure("there is more than one certificate") }
            self = ends[0]
        } catch {
            throw PEMError(description: error.reason)
        }
    }

    init(of certificate: OpaquePointer, _ kind: Kind) throws(CheckFailure) {
        let key = try encode { i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), $0) }
        let read = try Certificate(certificate)
        self.init(
            kind: kind, subject: read.subject, publicKeyHash: Base64Text(encoding: Array(SHA256.hash(data: key))),
            notAfter: read.notAfter)
    }
}
