/// The little DER (ITU-T X.690) that the checks compare against: elements shorter than 128 bytes.
enum DER {
    static func sequence(_ content: [UInt8]) -> [UInt8] {
        element(0x30, content)
    }

    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        precondition(content.count < 0x80)
        return [tag, UInt8(content.count)] + content
    }

    /// The content of an element with this tag that fills the bytes; nil for anything else.
    static func content(of bytes: [UInt8], tag: UInt8) -> [UInt8]? {
        guard bytes.count >= 2, bytes[0] == tag, bytes[1] < 0x80, bytes.count == 2 + Int(bytes[1]) else { return nil }
        return Array(bytes[2...])
    }
}
