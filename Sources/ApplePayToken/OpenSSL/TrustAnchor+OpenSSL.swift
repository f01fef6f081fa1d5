import COpenSSL

extension TrustAnchor {
    /// Takes the subject and the public key of a certificate in PEM; there must be exactly one in the text.
    ///
    /// - Throws: ``PEMError``.
    public init(pem: String) throws(PEMError) {
        do throws(CheckFailure) {
            let certificate = try OpenSSLHandle.certificate(pem: pem)
            self.init(
                name: try encode { i2d_X509_NAME(X509_get_subject_name(certificate.pointer), $0) },
                publicKey: try encode { i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate.pointer), $0) },
                commonName: Certificate.commonName(in: X509_get_subject_name(certificate.pointer)) ?? "the trust anchor"
            )
        } catch {
            throw PEMError(description: error.reason)
        }
    }

    /// The name and the key as a certificate in memory, the only form in which OpenSSL takes them. It carries no
    /// signature: nothing vouches for a trust anchor.
    func certificate() throws(CheckFailure) -> OpenSSLHandle {
        let name = try decode(name, as: "the anchor's name", freedBy: X509_NAME_free) { d2i_X509_NAME(nil, $0, $1) }
        let key = try decode(publicKey, as: "the anchor's key", freedBy: EVP_PKEY_free) { d2i_PUBKEY(nil, $0, $1) }
        let certificate = try OpenSSLHandle(X509_new(), freedBy: X509_free, or: "out of memory")
        var constraints = BASIC_CONSTRAINTS(ca: 0xFF, pathlen: nil)
        // An anchor has no dates (RFC 5280, 6.1.1); OpenSSL wants some.
        guard X509_set_version(certificate.pointer, CLong(X509_VERSION_3)) == 1,
            X509_set_subject_name(certificate.pointer, name.pointer) == 1,
            X509_set_issuer_name(certificate.pointer, name.pointer) == 1,
            X509_set_pubkey(certificate.pointer, key.pointer) == 1,
            ASN1_TIME_set_string(X509_getm_notBefore(certificate.pointer), "19500101000000Z") == 1,
            ASN1_TIME_set_string(X509_getm_notAfter(certificate.pointer), "99991231235959Z") == 1,
            X509_add1_ext_i2d(certificate.pointer, NID_basic_constraints, &constraints, 1, 0) == 1
        else { throw CheckFailure(OpenSSLErrors.explain("OpenSSL does not take the trust anchor")) }
        return certificate
    }
}
