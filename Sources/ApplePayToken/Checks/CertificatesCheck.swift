import struct FoundationEssentials.Date

/// The signer's certificate and the intermediate that issued it.
final class SignerPath: Equatable, Sendable {
    let leaf: Certificate
    let intermediate: Certificate

    init(leaf: Certificate, intermediate: Certificate) {
        self.leaf = leaf
        self.intermediate = intermediate
    }

    static func == (one: SignerPath, other: SignerPath) -> Bool {
        one === other || one.leaf == other.leaf && one.intermediate == other.intermediate
    }

    /// Whether both certificates are valid at a time, exclusive of the second of `notAfter`, which OpenSSL counts as expired.
    func isValid(at moment: Date) -> Bool {
        moment >= OpenSSLStore.anchorNotBefore && leaf.isValid(at: moment) && intermediate.isValid(at: moment)
    }
}

extension Certificate {
    fileprivate func isValid(at moment: Date) -> Bool { notBefore <= moment && moment < notAfter }
}

/// The certificate that issued the signer's must be in the message. It is found by name and key: an attacker chooses
/// the order in which certificates stand, so their places mean nothing.
enum CertificatesCheck {
    static func judge(_ message: OpenSSLMessage, _ leaf: Certificate) throws(CheckFailure) -> CheckResult<
        SignerPath
    > {
        guard let intermediate = try message.intermediate(issuing: leaf) else {
            throw CheckFailure(
                "none of the \(message.contents.certificates.count) certificates in the message issued the signer's")
        }
        return CheckResult(
            SignerPath(leaf: leaf, intermediate: intermediate),
            "the signer's certificate was issued by \(intermediate.subject)")
    }
}
