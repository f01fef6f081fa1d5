import struct FoundationEssentials.Date

/// A leaf and its intermediate that OpenSSL has validated up to a trust anchor, with the leaf's key.
///
/// The result of the validation depends only on the two certificates and on the time. The time is checked again
/// for each message.
final class ValidatedPair: Sendable {
    let path: SignerPath
    let leafKey: PublicKey

    init(path: SignerPath, leafKey: PublicKey) {
        self.path = path
        self.leafKey = leafKey
    }

    /// Returns whether a message has exactly these two certificates, in Apple's order.
    func isSame(as certificates: [ArraySlice<UInt8>]) -> Bool {
        certificates.count == 2 && certificates[0].elementsEqual(path.leaf.der)
            && certificates[1].elementsEqual(path.intermediate.der)
    }
}

extension ValidatedPair: MessageCertificates {
    var all: [Certificate] { [path.leaf, path.intermediate] }

    func intermediate(issuing leaf: Certificate) -> Certificate? {
        leaf == path.leaf ? path.intermediate : nil
    }

    func validate(_ path: SignerPath, at moment: Date) throws(CheckFailure) {
        guard path == self.path, path.isValid(at: moment) else {
            throw CheckFailure("the certificates are not valid at that time")
        }
    }

    func publicKey(of certificate: Certificate) throws(CheckFailure) -> PublicKey {
        guard certificate == path.leaf else { throw CheckFailure("the key is not the leaf's") }
        return leafKey
    }
}
