/// The indefinite-length form of BER (ITU-T X.690, 8.1.3.6), in which Apple writes the outer layers of its messages.
enum BER {
    static let sequence: UInt8 = 0x30
    /// `[0]`, constructed, context-specific.
    static let contextZero: UInt8 = 0xA0

    static func indefinite(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag, 0x80] + content + [0x00, 0x00]
    }
}
