/// The signature must be one CMS SignedData over plain data, and nothing may follow it: bytes that no check looks at
/// would let one payment have many faces.
enum StructureCheck {
    /// Apple sends two certificates. The bound keeps a hostile message from costing much.
    static let certificateLimit = 8

    static func judge(_ bytes: [UInt8]) throws(Refusal) -> Finding<OpenSSLMessage> {
        let message = try OpenSSLMessage(ber: bytes, certificateLimit: certificateLimit)
        guard message.contents.contentType == ObjectIdentifiers.data else {
            throw Refusal("the signed content is of type \(message.contents.contentType), not data")
        }
        return Finding(message, "a CMS SignedData of \(bytes.count) bytes")
    }
}
