/// The object identifiers that Apple's messages use, in DER.
enum MessageIdentifiers {
    /// RFC 5652, 5.1 and 4
    static let signedData = DER.element(0x06, pkcs7 + [0x02])
    static let data = DER.element(0x06, pkcs7 + [0x01])
    /// RFC 5652, 11.1 to 11.4
    static let contentType = DER.element(0x06, pkcs9 + [3])
    static let messageDigest = DER.element(0x06, pkcs9 + [4])
    static let signingTime = DER.element(0x06, pkcs9 + [5])
    static let countersignature = DER.element(0x06, pkcs9 + [6])
    /// RFC 6211
    static let cmsAlgorithmProtection = DER.element(0x06, pkcs9 + [52])

    private static let pkcs7: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07]
    private static let pkcs9: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09]
}
