import struct FoundationEssentials.Date

/// A leaf and an intermediate that passed every check through OpenSSL, and the results. Only their dates are checked again: nothing
/// else about a chain changes with the time or the token.
final class KnownChain: Sendable {
    let leaf: Certificate
    let intermediate: Certificate
    /// IssuerAndSerialNumber as the message spelled it that was verified.
    let signerIdentifier: [UInt8]
    /// The key of the leaf.
    let key: PreparedKey

    /// From a message that OpenSSL read and that is valid as a whole.
    ///
    /// - Throws: ``CheckFailure`` where the message is not of Apple's layout: its chain is then not cached.
    init(of message: OpenSSLMessage, in bytes: [UInt8], _ layout: AppleMessageLayout) throws(CheckFailure) {
        let certificates = message.contents.certificates
        guard certificates.count == 2, message.contents.signers.count == 1,
            message.contents.signers[0].certificate == certificates[0],
            certificates[0].der.elementsEqual(bytes[layout.leaf]),
            certificates[1].der.elementsEqual(bytes[layout.intermediate])
        else { throw CheckFailure("the certificates are not signer and issuer, in DER") }
        leaf = certificates[0]
        intermediate = certificates[1]
        signerIdentifier = Array(bytes[layout.signerIdentifier])
        key = try message.preparedKey(of: leaf)
    }

    /// Whether both certificates are valid at a time, exclusive of the second of `notAfter`, which OpenSSL counts as expired.
    func isValid(at moment: Date) -> Bool {
        moment >= OpenSSLStore.anchorNotBefore
            && [leaf, intermediate].allSatisfy { $0.notBefore <= moment && moment < $0.notAfter }
    }
}
