import PayrelayPrimitives

public import struct FoundationEssentials.Date

/// The content of a token's signature, parsed but not verified. It proves nothing until ``TokenVerifier``
/// verifies the token.
public struct TokenInspection: Sendable {
    /// A SignerInfo of the message.
    public struct Signer: Sendable {
        /// The serial number of the signer's certificate; `nil` if the message does not contain the certificate.
        public let serialNumber: String?
        /// The name of the digest algorithm if Apple uses it, otherwise its DER in hex. ``signatureAlgorithm``
        /// has the same form.
        public let digestAlgorithm: String
        public let signatureAlgorithm: String
        /// The signing time; nil if its signed attribute is absent, repeated or malformed.
        public let signingTime: Date?
    }

    /// The certificates, in the message's order.
    public let certificates: [Certificate]
    public let signers: [Signer]
    /// The reason why the signature cannot be parsed; `nil` if it can.
    public let failure: String?

    public init(of token: PaymentToken) {
        do throws(CheckFailure) {
            let message = try SignedMessage(ber: token.signature.bytes)
            let certificates = try message.certificates.map { (der) throws(CheckFailure) in try Certificate(der: der) }
            self.certificates = certificates
            signers = message.signers.map { Signer($0, among: certificates) }
            failure = nil
        } catch {
            certificates = []
            signers = []
            failure = error.reason
        }
    }

    /// Returns the signing time that a token states; `nil` if it is absent or malformed. This costs a hundredth
    /// of an inspection.
    public static func signingTime(of token: PaymentToken) -> Date? {
        (try? SignedMessage(ber: token.signature.bytes))?.signers.first?.signingTime
    }
}

extension TokenInspection.Signer {
    fileprivate init(_ signer: Signer, among certificates: [Certificate]) {
        serialNumber = signer.certificate(among: certificates)?.serialNumber
        digestAlgorithm = signer.digestAlgorithm.name
        signatureAlgorithm = signer.signatureAlgorithm.name
        signingTime = signer.signingTime
    }
}

extension Signer {
    fileprivate var signingTime: Date? {
        let times = signedAttributes.filter { $0.type.elementsEqual(MessageIdentifiers.signingTime) }
        return times.count == 1 ? times[0].value.flatMap(ASN1Time.date) : nil
    }
}

extension AlgorithmIdentifier {
    fileprivate var name: String {
        if Self.sha256.contains(self) { return "SHA-256" }
        if Self.ecdsaWithSHA256.contains(self) { return "ecdsa-with-SHA256" }
        if Self.sha256WithRSA.contains(self) { return "sha256WithRSAEncryption" }
        return HexText(encoding: Array(der)).text
    }
}
