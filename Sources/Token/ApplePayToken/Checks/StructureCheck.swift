/// The signature must be one CMS SignedData over plain data, in well-formed BER, and nothing may follow it: bytes that no check
/// covers would let one payment have many encodings.
enum StructureCheck {
    /// - Parameter size: of the message, in bytes.
    static func judge(_ read: Result<ReadMessage, CheckFailure>, size: Int) throws(CheckFailure) -> CheckResult<
        ReadMessage
    > {
        CheckResult(try read.get(), "a CMS SignedData of \(size) bytes")
    }
}

/// A message and what can be said about its certificates.
final class ReadMessage {
    let message: SignedMessage
    let certificates: any MessageCertificates

    init(_ message: SignedMessage, _ certificates: any MessageCertificates) {
        self.message = message
        self.certificates = certificates
    }
}
