/// Exactly one signer, whose certificate is in the message. With several signers, one valid signature could hide an invalid one.
enum SignerCheck {
    static func judge(_ message: SignedMessage) throws(CheckFailure) -> CheckResult<Signer> {
        guard let signer = message.signers.first, message.signers.count == 1 else {
            throw CheckFailure("the message has \(message.signers.count) signers; Apple's has exactly one")
        }
        guard let certificate = signer.certificate else {
            throw CheckFailure("the signer's certificate is not in the message")
        }
        // OpenSSL compares names without regard to case and string type.
        guard signer.issuerName == certificate.issuerName else {
            throw CheckFailure("the signer identifier spells the issuer otherwise than the certificate does")
        }
        return CheckResult(signer, "\(certificate.subject), serial \(certificate.serialNumber)")
    }
}
