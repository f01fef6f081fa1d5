/// Checks that the signature is one CMS SignedData over plain data, in well-formed BER, and that nothing follows
/// it. Bytes that no check covers would let one payment have many encodings.
enum StructureCheck {
    /// - Parameter size: the size of the message in bytes.
    static func judge(_ read: Result<ReadMessage, CheckFailure>, size: Int) throws(CheckFailure) -> CheckResult<
        ReadMessage
    > {
        CheckResult(try read.get(), "a CMS SignedData of \(size) bytes")
    }
}

/// A parsed message and its certificates.
final class ReadMessage {
    let message: SignedMessage
    let certificates: any MessageCertificates

    init(_ message: SignedMessage, _ certificates: any MessageCertificates) {
        self.message = message
        self.certificates = certificates
    }
}
