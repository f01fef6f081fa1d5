import Primitives
public import struct FoundationEssentials.Date

/// What is in a token's signature, read and not judged. Whatever it says may be a lie until ``TokenVerifier`` is asked.
public struct TokenInspection: Sendable {
    /// A SignerInfo of the message.
    public struct Signer: Sendable {
        /// The serial number of its certificate; nil where the message lacks that.
        public let serialNumber: String?
        /// By name where it is one that Apple uses, else in DER as hex.
        public let digestAlgorithm: String
        public let signatureAlgorithm: String
        /// nil where no signed attribute states it, or not as it should.
        public let signingTime: Date?
    }

    /// As they stand in the message.
    public let certificates: [Certificate]
    public let signers: [Signer]
    /// Why the signature cannot be read; nil where it can.
    public let fault: String?

    public init(of token: PaymentToken) {
        do throws(CheckFailure) {
            let message = try StructureCheck.judge(token.signature.bytes).value.contents
            certificates = message.certificates
            signers = message.signers.map(Signer.init)
            fault = nil
        } catch {
            certificates = []
            signers = []
            fault = error.reason
        }
    }
}

extension TokenInspection {
    /// When a token says that it was signed; nil where it does not say, or not as it should. Where the message has Apple's
    /// layout, this costs a hundredth of an inspection.
    public static func signingTime(of token: PaymentToken) -> Date? {
        let bytes = token.signature.bytes
        guard let layout = try? MessageLayout(ber: bytes) else {
            return TokenInspection(of: token).signers.first?.signingTime
        }
        let times = layout.attributes.filter { $0.type == ObjectIdentifiers.signingTime }
        return times.count == 1 ? Time.date(Array(bytes[times[0].value])) : nil
    }
}

extension TokenInspection.Signer {
    fileprivate init(_ signer: Signer) {
        serialNumber = signer.certificate?.serialNumber
        digestAlgorithm = signer.digestAlgorithm.name
        signatureAlgorithm = signer.signatureAlgorithm.name
        let times = signer.signedAttributes.filter { $0.type == ObjectIdentifiers.signingTime }.flatMap(\.values)
        signingTime = times.count == 1 ? Time.date(times[0]) : nil
    }
}

extension AlgorithmIdentifier {
    fileprivate var name: String {
        if Self.sha256.contains(self) { return "SHA-256" }
        if Self.ecdsaWithSHA256.contains(self) { return "ecdsa-with-SHA256" }
        if Self.sha256WithRSA.contains(self) { return "sha256WithRSAEncryption" }
        return HexText(encoding: der).text
    }
}
