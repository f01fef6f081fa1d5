public import struct FoundationEssentials.Date

/// What a certificate in a message says about itself.
public struct Certificate: Hashable, Sendable {
    /// The certificate in DER.
    public let der: [UInt8]
    /// The subject's common name, escaped as RFC 2253 asks; nil where it has none.
    public let commonName: String?
    /// The subject's distinguished name, in the form of RFC 2253.
    public let subject: String
    /// The serial number in upper-case hex.
    public let serialNumber: String
    public let notBefore: Date
    public let notAfter: Date
    /// The object identifiers of its extensions, in dotted form.
    public let extensions: [String]
    /// The algorithm of its key, in dotted form.
    let keyAlgorithm: String
    /// Whether basicConstraints make it an authority's; without the extension it is none (RFC 5280, 4.2.1.9).
    let isCA: Bool
    /// nil where it does not say.
    let keyUsage: KeyUsage?
    /// The issuer's distinguished name in DER, for exact comparison.
    let issuerName: [UInt8]
}
