/// DER (ITU-T X.690, 10 and 11): writes the values with which the checks compare, and validates single values.
enum DER {
    static func sequence(_ content: [UInt8]) -> [UInt8] {
        element(0x30, content)
    }

    /// - Parameter content: the content, shorter than 128 bytes.
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        precondition(content.count < 0x80)
        return [tag, UInt8(content.count)] + content
    }

    /// Returns whether the content of a primitive element is the only encoding of its value. The types are those
    /// of Apple's messages and certificates; any other type is rejected.
    static func isValue(_ content: ArraySlice<UInt8>, tag: UInt8) -> Bool {
        switch tag {
        case 0x01: content.elementsEqual([0x00]) || content.elementsEqual([0xFF])
        case 0x02, 0x0A: isInteger(content)
        case 0x03: isBitString(content)
        case 0x05: content.isEmpty
        case 0x06: isObjectIdentifier(content)
        // OCTET STRING, UTF8String, PrintableString, IA5String, UTCTime and GeneralizedTime: their bytes are not
        // checked here.
        case 0x04, 0x0C, 0x13, 0x16, 0x17, 0x18: true
        default: false
        }
    }

    /// X.690, 8.3.2: the first nine bits must not all be the same.
    private static func isInteger(_ content: ArraySlice<UInt8>) -> Bool {
        guard let first = content.first else { return false }
        guard let second = content.dropFirst().first else { return true }
        return !(first == 0x00 && second < 0x80 || first == 0xFF && second >= 0x80)
    }

    /// X.690, 8.6.2 and 11.2.1: the unused bits must be fewer than eight, and zero.
    private static func isBitString(_ content: ArraySlice<UInt8>) -> Bool {
        guard let unused = content.first, let last = content.last, unused < 8 else { return false }
        return content.count > 1 ? last & ((1 << unused) - 1) == 0 : unused == 0
    }

    /// X.690, 8.19.2: each number must have as few bytes as possible.
    private static func isObjectIdentifier(_ content: ArraySlice<UInt8>) -> Bool {
        guard let last = content.last, last < 0x80 else { return false }
        var startsNumber = true
        for byte in content {
            if startsNumber && byte == 0x80 { return false }
            startsNumber = byte < 0x80
        }
        return true
    }
}

/// The object identifiers that Apple's messages use, in DER.
enum MessageIdentifiers {
    /// RFC 5652, 5.1 and 4.
    static let signedData = DER.element(0x06, pkcs7 + [0x02])
    static let data = DER.element(0x06, pkcs7 + [0x01])
    /// RFC 5652, 11.1 to 11.4.
    static let contentType = DER.element(0x06, pkcs9 + [3])
    static let messageDigest = DER.element(0x06, pkcs9 + [4])
    static let signingTime = DER.element(0x06, pkcs9 + [5])
    static let countersignature = DER.element(0x06, pkcs9 + [6])
    /// RFC 6211.
    static let cmsAlgorithmProtection = DER.element(0x06, pkcs9 + [52])

    private static let pkcs7: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07]
    private static let pkcs9: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09]
}

/// An AlgorithmIdentifier (RFC 5280, 4.1.1.2) in DER.
struct AlgorithmIdentifier: Equatable, Sendable {
    let der: ArraySlice<UInt8>
}

extension AlgorithmIdentifier {
    /// id-sha256, RFC 5754, 2.2. Apple wrote the parameters as NULL until 2022, and has left them out since then.
    static let sha256 = known([0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01])
    /// ecdsa-with-SHA256, RFC 5754, 3.3.
    static let ecdsaWithSHA256 = known([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02])
    /// sha256WithRSAEncryption, RFC 5754, 3.2.
    static let sha256WithRSA = known([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B])

    /// Returns both encodings of an algorithm without parameters: they are either absent or NULL.
    private static func known(_ oid: [UInt8]) -> [AlgorithmIdentifier] {
        [[], [0x05, 0x00]].map { AlgorithmIdentifier(der: DER.sequence(DER.element(0x06, oid) + $0)[...]) }
    }
}
