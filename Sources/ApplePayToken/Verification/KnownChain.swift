import struct FoundationEssentials.Date

/// A signer's certificate and its issuer that passed every check through OpenSSL, with what these came to. Only the
/// dates remain to be looked at again: nothing else about a chain changes with the time or the token.
final class KnownChain: Sendable {
    let leaf: Certificate
    let issuer: Certificate
    /// IssuerAndSerialNumber as the message spelled it that was verified.
    let signerIdentifier: [UInt8]
    /// The key of the leaf.
    let key: VerificationKey

    /// Takes what OpenSSL read from a message that is valid as a whole.
    ///
    /// - Throws: ``CheckFailure`` where the message is not laid out as Apple's: then its chain is not remembered.
    init(of message: OpenSSLMessage, in bytes: [UInt8], _ layout: MessageLayout) throws(CheckFailure) {
        let certificates = message.contents.certificates
        guard certificates.count == 2, message.contents.signers.count == 1,
            message.contents.signers[0].certificate == certificates[0],
            certificates[0].der.elementsEqual(bytes[layout.leaf]),
            certificates[1].der.elementsEqual(bytes[layout.issuer])
        else { throw CheckFailure("the certificates are not signer and issuer, in DER") }
        leaf = certificates[0]
        issuer = certificates[1]
        signerIdentifier = Array(bytes[layout.signerIdentifier])
        key = try message.verificationKey(of: leaf)
    }

    /// Whether both certificates are valid at a time. OpenSSL counts the second of `notAfter` as expired; where the two
    /// would differ it is OpenSSL that judges.
    func isValid(at moment: Date) -> Bool {
        moment >= OpenSSLStore.anchorNotBefore
            && [leaf, issuer].allSatisfy { $0.notBefore <= moment && moment < $0.notAfter }
    }
}
