/// The object identifiers that Apple's certificates use, in dotted form.
enum CertificateIdentifiers {
    /// RFC 5480, 2.1.1
    static let ecPublicKey = "1.2.840.10045.2.1"
    /// RFC 3279, 2.3.1
    static let rsaEncryption = "1.2.840.113549.1.1.1"
    /// Apple's step 1.a
    static let leafMarker = "1.2.840.113635.100.6.29"
    static let intermediateMarker = "1.2.840.113635.100.6.2.14"
}
