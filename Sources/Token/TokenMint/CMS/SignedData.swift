package import SwiftASN1

/// A CMS SignedData (RFC 5652, 5.1), which is written as Apple writes it: detached, with the outer layers in
/// indefinite-length BER and the signed parts in DER.
package struct SignedData: Sendable {
    /// The certificates in DER: first the signer's, then its issuer's.
    package var certificates: [[UInt8]]
    package var signers: [SignerInfo]
    /// The content inside the message; `nil` in Apple's messages.
    package var content: [UInt8]?
    /// Whether the absent parameters of SHA-256 are written as NULL, as Apple did until 2022.
    package var digestHasNull = false

    package init(certificates: [[UInt8]], signers: [SignerInfo], content: [UInt8]? = nil) {
        self.certificates = certificates
        self.signers = signers
        self.content = content
    }

    /// Returns the ContentInfo that contains this message.
    package func ber() throws -> [UInt8] {
        let version: [UInt8] = [0x02, 0x01, 0x01]
        var digestAlgorithms = DER.Serializer()
        try digestAlgorithms.appendConstructedNode(identifier: .set) { coder in
            try coder.serializeAlgorithm(.sha256, asNull: digestHasNull)
        }
        var signerInfos = DER.Serializer()
        try signerInfos.serializeSetOf(signers)

        let signedData = BER.indefinite(
            BER.sequence,
            version + digestAlgorithms.serializedBytes
                + BER.indefinite(BER.sequence, try ASN1ObjectIdentifier.data.der() + encapsulatedContent())
                + BER.indefinite(BER.contextZero, Array(certificates.joined())) + signerInfos.serializedBytes)
        return BER.indefinite(
            BER.sequence, try ASN1ObjectIdentifier.signedData.der() + BER.indefinite(BER.contextZero, signedData))
    }

    private func encapsulatedContent() throws -> [UInt8] {
        guard let content else { return [] }
        return BER.indefinite(BER.contextZero, try ASN1OctetString(contentBytes: content[...]).der())
    }
}

/// The indefinite-length form of BER (ITU-T X.690, 8.1.3.6), in which Apple writes the outer layers of its messages.
enum BER {
    static let sequence: UInt8 = 0x30
    /// The tag `[0]`, constructed and context-specific.
    static let contextZero: UInt8 = 0xA0

    static func indefinite(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag, 0x80] + content + [0x00, 0x00]
    }
}

extension ASN1ObjectIdentifier {
    package static let data: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 1]
    package static let signedData: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 2]
    package static let sha1: ASN1ObjectIdentifier = [1, 3, 14, 3, 2, 26]
    package static let sha256: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 1]
    package static let ecdsaWithSHA256: ASN1ObjectIdentifier = [1, 2, 840, 10045, 4, 3, 2]
    package static let sha256WithRSA: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 11]
}

extension DERSerializable {
    /// Returns this value in DER.
    package func der() throws -> [UInt8] {
        var coder = DER.Serializer()
        try coder.serialize(self)
        return coder.serializedBytes
    }
}

extension DER.Serializer {
    /// Writes an AlgorithmIdentifier (RFC 5280, 4.1.1.2) whose parameters are either left out or NULL.
    mutating func serializeAlgorithm(_ algorithm: ASN1ObjectIdentifier, asNull: Bool) throws {
        try appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(algorithm)
            if asNull { try coder.serialize(ASN1Null()) }
        }
    }
}
