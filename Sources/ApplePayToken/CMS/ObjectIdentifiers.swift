/// The object identifiers that Apple's tokens use, in dotted form.
enum ObjectIdentifiers {
    /// RFC 5652, 4
    static let data = "1.2.840.113549.1.7.1"
    /// RFC 5652, 11.1 to 11.3
    static let contentType = "1.2.840.113549.1.9.3"
    static let messageDigest = "1.2.840.113549.1.9.4"
    static let signingTime = "1.2.840.113549.1.9.5"
    /// RFC 6211
    static let cmsAlgorithmProtection = "1.2.840.113549.1.9.52"
    /// RFC 5480, 2.1.1
    static let ecPublicKey = "1.2.840.10045.2.1"
    /// RFC 3279, 2.3.1
    static let rsaEncryption = "1.2.840.113549.1.1.1"
    /// Apple's step 1.a
    static let leafMarker = "1.2.840.113635.100.6.29"
    static let intermediateMarker = "1.2.840.113635.100.6.2.14"
}
