/// An AlgorithmIdentifier (RFC 5280, 4.1.1.2) in DER.
struct AlgorithmIdentifier: Equatable, Sendable {
    let der: ArraySlice<UInt8>
}

extension AlgorithmIdentifier {
    /// id-sha256, RFC 5754, 2.2. Apple wrote the NULL until 2022 and leaves it out since.
    static let sha256 = known([0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01])
    /// ecdsa-with-SHA256, RFC 5754, 3.3
    static let ecdsaWithSHA256 = known([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02])
    /// sha256WithRSAEncryption, RFC 5754, 3.2
    static let sha256WithRSA = known([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B])

    /// Both encodings of an algorithm without parameters: they are absent, or NULL.
    private static func known(_ oid: [UInt8]) -> [AlgorithmIdentifier] {
        [[], [0x05, 0x00]].map { AlgorithmIdentifier(der: DER.sequence(DER.element(0x06, oid) + $0)[...]) }
    }
}
