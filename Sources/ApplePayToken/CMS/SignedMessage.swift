/// A CMS SignedData (RFC 5652, 5.1) as values: what the checks look at, whoever read it.
struct SignedMessage: Equatable, Sendable {
    /// The type of what is signed, in dotted form.
    let contentType: String
    /// Whether the content is inside the message.
    let hasContent: Bool
    /// The certificates, in the order they stand.
    let certificates: [Certificate]
    let signers: [Signer]
}

/// A SignerInfo (RFC 5652, 5.3).
struct Signer: Equatable, Sendable {
    /// The certificate in the message that the signer identifier names; nil where none does.
    let certificate: Certificate?
    /// The issuer's distinguished name in DER as the signer identifier spells it.
    let issuerName: [UInt8]
    let digestAlgorithm: AlgorithmIdentifier
    let signatureAlgorithm: AlgorithmIdentifier
    let signedAttributes: [Attribute]
}

/// An AlgorithmIdentifier (RFC 5280, 4.1.1.2) in DER.
struct AlgorithmIdentifier: Equatable, Sendable {
    let der: [UInt8]
}

/// An Attribute (RFC 5652, 5.3): its type in dotted form and each value in DER.
struct Attribute: Equatable, Sendable {
    let type: String
    let values: [[UInt8]]
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
        let identifier = [0x06, UInt8(oid.count)] + oid
        return [[], [0x05, 0x00]].map { AlgorithmIdentifier(der: DER.sequence(identifier + $0)) }
    }
}
