import COpenSSL

extension OpenSSLHandle {
    private static let pemLimit = 64 * 1024

    /// The certificate in a PEM text; there must be exactly one.
    static func certificate(pem: String) throws(CheckFailure) -> OpenSSLHandle {
        OpenSSLErrors.clear()
        guard pem.utf8.count <= pemLimit else { throw CheckFailure("the text is longer than \(pemLimit) bytes") }
        let source = try OpenSSLHandle.memory(holding: Array(pem.utf8))
        let certificate = try OpenSSLHandle(
            PEM_read_bio_X509(source.pointer, nil, nil, nil), freedBy: X509_free, or: "no certificate can be read")
        if let second = PEM_read_bio_X509(source.pointer, nil, nil, nil) {
            X509_free(second)
            throw CheckFailure("there is more than one certificate")
        }
        OpenSSLErrors.clear()
        return certificate
    }
}
