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
