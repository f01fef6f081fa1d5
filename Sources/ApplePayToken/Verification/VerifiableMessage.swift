import struct FoundationEssentials.Date

/// A message as the checks need it: its contents as values, and the cryptography that depends on what read it, OpenSSL or the
/// known-chain path.
protocol VerifiableMessage: SendableMetatype {
    /// What a valid path establishes, for the message as a whole to be verified with.
    associatedtype Trust

    var contents: SignedMessage { get }

    /// The certificate in the message that issued the leaf, by name and key; nil where none did.
    func intermediate(issuing leaf: Certificate) throws(CheckFailure) -> Certificate?

    /// Verifies the path of leaf, intermediate and anchor at a time.
    func verify(_ path: SignerPath, anchor: TrustAnchor, at moment: Date) throws(CheckFailure) -> Trust

    /// Verifies the signature of the one signer over its signed attributes.
    func verifySignature() throws(CheckFailure)

    /// Verifies the message as a whole, over this token's content.
    func verify(_ token: PaymentToken, trusting trust: Trust) throws(CheckFailure)
}
