import COpenSSL

/// A trust anchor of certificate paths: a name and a public key (RFC 5280, 6.1.1 (d)). The dates and the
/// self-signature of its certificate are ignored.
public struct TrustAnchor: Hashable, Sendable {
    /// The distinguished name in DER.
    public let name: [UInt8]
    /// The public key as an X.509 SubjectPublicKeyInfo in DER.
    public let publicKey: [UInt8]
    /// The common name, for messages to people.
    public let commonName: String
}

extension TrustAnchor {
    /// Apple Root CA - G3 (https://www.apple.com/certificateauthority/), valid until 2039-04-30: its name and its
    /// P-384 key.
    public static let appleRootCAG3 = TrustAnchor(
        name: DER.sequence(
            relativeName(3, 0x0C, "Apple Root CA - G3") + relativeName(11, 0x0C, "Apple Certification Authority")
                + relativeName(10, 0x0C, "Apple Inc.") + relativeName(6, 0x13, "US")),
        publicKey: DER.sequence(DER.sequence(idECPublicKey + secp384r1) + DER.element(0x03, [0] + applePoint)),
        commonName: "Apple Root CA - G3")

    /// Returns a RelativeDistinguishedName with one AttributeTypeAndValue of X.520: `id-at` with the number of
    /// the type, and a string with this tag.
    private static func relativeName(_ type: UInt8, _ tag: UInt8, _ text: String) -> [UInt8] {
        DER.element(
            0x31, DER.sequence(DER.element(0x06, [0x55, 0x04, type]) + DER.element(tag, Array(text.utf8))))
    }

    private static let idECPublicKey = DER.element(0x06, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01])
    private static let secp384r1 = DER.element(0x06, [0x2B, 0x81, 0x04, 0x00, 0x22])

    /// The key as an uncompressed point.
    private static let applePoint: [UInt8] = [
        0x04,
        0x98, 0xE9, 0x2F, 0x3D, 0x40, 0x72, 0xA4, 0xED, 0x93, 0x22, 0x72, 0x81, 0x13, 0x1C, 0xDD, 0x10,
        0x95, 0xF1, 0xC5, 0xA3, 0x4E, 0x71, 0xDC, 0x14, 0x16, 0xD9, 0x0E, 0xE5, 0xA6, 0x05, 0x2A, 0x77,
        0x64, 0x7B, 0x5F, 0x4E, 0x38, 0xD3, 0xBB, 0x1C, 0x44, 0xB5, 0x7F, 0xF5, 0x1F, 0xB6, 0x32, 0x62,
        0x5D, 0xC9, 0xE9, 0x84, 0x5B, 0x4F, 0x30, 0x4F, 0x11, 0x5A, 0x00, 0xFD, 0x58, 0x58, 0x0C, 0xA5,
        0xF5, 0x0F, 0x2C, 0x4D, 0x07, 0x47, 0x13, 0x75, 0xDA, 0x97, 0x97, 0x97, 0x6F, 0x31, 0x5C, 0xED,
        0x2B, 0x9D, 0x7B, 0x20, 0x3B, 0xD8, 0xB9, 0x54, 0xD9, 0x5E, 0x99, 0xA4, 0x3A, 0x51, 0x0A, 0x31,
    ]
}

extension TrustAnchor {
    /// Reads the subject and the public key of the only certificate in a PEM text.
    ///
    /// - Throws: ``PEMError`` if the text does not contain exactly one certificate.
    public init(pem: String) throws(PEMError) {
        do throws(CheckFailure) {
            let anchors = try OpenSSLHandle.certificates(inFile: Array(pem.utf8)) {
                (certificate) throws(CheckFailure) in
                let name = X509_get_subject_name(certificate)
                return TrustAnchor(
                    name: try encode { i2d_X509_NAME(name, $0) },
                    publicKey: try encode { i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), $0) },
                    commonName: Certificate.commonName(in: name) ?? "the trust anchor")
            }
            guard anchors.count == 1 else { throw CheckFailure("there is more than one certificate") }
            self = anchors[0]
        } catch {
            throw PEMError(description: error.reason)
        }
    }

    /// Returns the name and the key as a certificate in memory, the only form that OpenSSL accepts. The
    /// certificate has no signature, because a trust anchor does not need one.
    func certificate() throws(CheckFailure) -> OpenSSLHandle {
        let name = try decode(name, as: "the anchor's name", freedBy: X509_NAME_free) { d2i_X509_NAME(nil, $0, $1) }
        let key = try decode(publicKey, as: "the anchor's key", freedBy: EVP_PKEY_free) { d2i_PUBKEY(nil, $0, $1) }
        let certificate = try OpenSSLHandle(X509_new(), freedBy: X509_free, or: "out of memory")
        var constraints = BASIC_CONSTRAINTS(ca: 0xFF, pathlen: nil)
        // An anchor has no dates (RFC 5280, 6.1.1), but OpenSSL requires them.
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
