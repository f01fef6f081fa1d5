/// The DER (ITU-T X.690, 10 and 11) of what the checks compare with, and of single values.
enum DER {
    static func sequence(_ content: [UInt8]) -> [UInt8] {
        element(0x30, content)
    }

    /// - Parameter content: shorter than 128 bytes.
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        precondition(content.count < 0x80)
        return [tag, UInt8(content.count)] + content
    }

    /// Whether the content of a primitive element is the one encoding of a value: of a type that Apple's messages and certificates use.
    static func isValue(_ content: ArraySlice<UInt8>, tag: UInt8) -> Bool {
        switch tag {
        case 0x01: content.elementsEqual([0x00]) || content.elementsEqual([0xFF])
        case 0x02, 0x0A: isInteger(content)
        case 0x03: isBitString(content)
        case 0x05: content.isEmpty
        case 0x06: isObjectIdentifier(content)
        // OCTET STRING, UTF8String, PrintableString, IA5String, UTCTime, GeneralizedTime: their bytes are not looked at here.
        case 0x04, 0x0C, 0x13, 0x16, 0x17, 0x18: true
        default: false
        }
    }

    /// 8.3.2: the first nine bits are not all the same.
    private static func isInteger(_ content: ArraySlice<UInt8>) -> Bool {
        guard let first = content.first else { return false }
        guard let second = content.dropFirst().first else { return true }
        return !(first == 0x00 && second < 0x80 || first == 0xFF && second >= 0x80)
    }

    /// 8.6.2 and 11.2.1: the unused bits are fewer than eight, and zero.
    private static func isBitString(_ content: ArraySlice<UInt8>) -> Bool {
        guard let unused = content.first, let last = content.last, unused < 8 else { return false }
        return content.count > 1 ? last & ((1 << unused) - 1) == 0 : unused == 0
    }

    /// 8.19.2: each number in as few bytes as can be.
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
