/// The purposes of a certificate's key (RFC 5280, 4.2.1.3): those that the checks ask for.
struct KeyUsage: OptionSet, Hashable, Sendable {
    let rawValue: UInt32

    static let digitalSignature = KeyUsage(rawValue: 1 << 0)
    static let keyCertSign = KeyUsage(rawValue: 1 << 1)
}
