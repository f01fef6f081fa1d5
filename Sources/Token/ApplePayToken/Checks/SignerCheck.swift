/// Checks that the message has exactly one signer, whose certificate is in the message. With several signers, one
/// valid signature could hide an invalid one.
enum SignerCheck {
    static func judge(_ read: ReadMessage) throws(CheckFailure) -> CheckResult<IdentifiedSigner> {
        let signers = read.message.signers
        guard let signer = signers.first, signers.count == 1 else {
            throw CheckFailure("the message has \(signers.count) signers; Apple's has exactly one")
        }
        guard let certificate = signer.certificate(among: read.certificates.all) else {
            throw CheckFailure("the signer's certificate is not in the message")
        }
        // The names must be equal byte for byte, because other software may ignore case and string types, and
        // would then choose another certificate.
        guard signer.issuerName == certificate.issuerName[...] else {
            throw CheckFailure("the signer identifier spells the issuer otherwise than the certificate does")
        }
        return CheckResult(
            IdentifiedSigner(signer: signer, certificate: certificate),
            "\(certificate.subject), serial \(certificate.serialNumber)")
    }
}

/// A signer and its certificate.
struct IdentifiedSigner {
    let signer: Signer
    let certificate: Certificate
}

extension Signer {
    /// Returns the first certificate with the serial number in the signer identifier; `nil` if there is none.
    func certificate(among certificates: [Certificate]) -> Certificate? {
        certificates.first { serialNumber == $0.serialNumberDER[...] }
    }
}
