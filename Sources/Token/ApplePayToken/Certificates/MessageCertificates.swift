import struct FoundationEssentials.Date

/// The certificates of one message: their lookup, path validation and public keys.
protocol MessageCertificates {
    /// All certificates, in the message's order.
    var all: [Certificate] { get }

    /// Returns the certificate that issued the leaf, found by name and key; `nil` if there is none. The leaf
    /// itself is never returned.
    func intermediate(issuing leaf: Certificate) throws(CheckFailure) -> Certificate?

    /// Validates the path from the leaf through the intermediate to the trust anchor, at a time.
    func validate(_ path: SignerPath, at moment: Date) throws(CheckFailure)

    /// Returns the public key of one of the certificates.
    func publicKey(of certificate: Certificate) throws(CheckFailure) -> PublicKey
}

/// The path of the signer: its certificate, and the intermediate that issued it.
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

    /// Returns whether both certificates are valid at a time. The second of `notAfter` is excluded, because
    /// OpenSSL counts it as expired.
    func isValid(at moment: Date) -> Bool {
        leaf.isValid(at: moment) && intermediate.isValid(at: moment)
    }
}

extension Certificate {
    fileprivate func isValid(at moment: Date) -> Bool { notBefore <= moment && moment < notAfter }
}
