import SwiftASN1

/// A CMS SignedData (RFC 5652, 5.1), to be written as Apple writes it: the outer layers in indefinite-length BER, what
/// is signed in DER, detached.
package struct SignedData: Sendable {
    /// In DER: the signer's first, then its issuer's.
    package var certificates: [[UInt8]]
    package var signers: [SignerInfo]
    /// Content inside the message: Apple's has none.
    package var content: [UInt8]?
    /// Whether SHA-256's absent parameters are written as NULL, as Apple did until 2022.
    package var digestHasNull = false

    package init(certificates: [[UInt8]], signers: [SignerInfo], content: [UInt8]? = nil) {
        self.certificates = certificates
        self.signers = signers
        self.content = content
    }

    /// The ContentInfo with this message in it.
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
