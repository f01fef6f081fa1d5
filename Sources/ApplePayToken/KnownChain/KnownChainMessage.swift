import Crypto
import struct FoundationEssentials.Date

/// A message of Apple's layout with a known chain: read without OpenSSL's CMS, and verified at the cost of one signature.
///
/// OpenSSL is the reference: what this accepts, `CMS_verify` accepts too, and the differential tests hold the two together.
final class KnownChainMessage: VerifiableMessage {
    let contents: SignedMessage
    private let bytes: [UInt8]
    private let layout: AppleMessageLayout
    private let chain: KnownChain

    /// - Throws: ``CheckFailure`` where the signer identifier is not that of the chain's leaf.
    init(_ bytes: [UInt8], _ layout: AppleMessageLayout, chain: KnownChain) throws(CheckFailure) {
        guard chain.signerIdentifier.elementsEqual(bytes[layout.signerIdentifier]) else {
            throw CheckFailure("the signer is identified otherwise")
        }
        let signer = Signer(
            certificate: chain.leaf,
            issuerName: chain.leaf.issuerName,
            digestAlgorithm: AlgorithmIdentifier(der: Array(bytes[layout.digestAlgorithm])),
            signatureAlgorithm: AlgorithmIdentifier(der: Array(bytes[layout.signatureAlgorithm])),
            signedAttributes: layout.attributes.map { Attribute(type: $0.type, values: [Array(bytes[$0.value])]) })
        contents = SignedMessage(
            contentType: ObjectIdentifiers.data, hasContent: false, certificates: [chain.leaf, chain.intermediate],
            signers: [signer])
        self.bytes = bytes
        self.layout = layout
        self.chain = chain
    }

    func intermediate(issuing leaf: Certificate) -> Certificate? {
        leaf == chain.leaf ? chain.intermediate : nil
    }

    /// The anchor vouches for the chain, because each anchor has a ``KnownChainCache`` of its own. The dates remain.
    func verify(_ path: SignerPath, anchor: TrustAnchor, at moment: Date) throws(CheckFailure) {
        guard path.leaf == chain.leaf, path.intermediate == chain.intermediate, chain.isValid(at: moment) else {
            throw CheckFailure("the chain is another one, or not valid at this time")
        }
    }

    func verifySignature() throws(CheckFailure) {
        // RFC 5652, 5.4: signed is the encoding with the tag of an explicit SET OF in place of [0].
        var digest = SHA256()
        digest.update(data: [0x31])
        digest.update(data: bytes[layout.signedAttributes].dropFirst())
        guard chain.key.verifies(bytes[layout.signature], over: digest.finalize()) else {
            throw CheckFailure("the signer's key did not sign these attributes")
        }
    }

    /// What `CMS_verify` would look at is the content's digest, the signature and the chain. Each has been judged when
    /// this is reached, and the layout leaves room for nothing else.
    func verify(_ token: PaymentToken, trusting trust: Void) {}
}
