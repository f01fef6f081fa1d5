/// The signature must be one CMS SignedData over plain data, in well-formed BER, and nothing may follow it: bytes that no check
/// covers would let one payment have many encodings.
enum StructureCheck {
    /// How many certificates and how many signers are read. Apple sends two and one; the bound keeps a hostile message
    /// from costing much.
    static let partLimit = 8

    static func judge(_ bytes: [UInt8]) throws(CheckFailure) -> CheckResult<OpenSSLMessage> {
        try judgeForm(bytes)
        let message = try OpenSSLMessage(ber: bytes, partLimit: partLimit)
        guard message.contents.contentType == ObjectIdentifiers.data else {
            throw CheckFailure("the signed content is of type \(message.contents.contentType), not data")
        }
        return CheckResult(message, detail(bytes))
    }

    static func detail(_ bytes: [UInt8]) -> String {
        "a CMS SignedData of \(bytes.count) bytes"
    }

    /// The form of the BER, and unsigned parts that OpenSSL does not check: the versions, 1 for plain data and 1 for a
    /// signer named by issuer and serial number, and the list of digest algorithms (RFC 5652, 5.1 and 5.3). An unknown
    /// algorithm in that list would also make OpenSSL 3.0's `CMS_verify` leak its copy of the content.
    private static func judgeForm(_ bytes: [UInt8]) throws(CheckFailure) {
        let message = try BERElement(in: bytes, at: 0, limit: bytes.count)
        guard message.end == bytes.count else {
            throw CheckFailure("\(bytes.count - message.end) bytes follow the CMS message")
        }
        let contentInfo = try message.children(in: bytes)
        guard contentInfo.count == 2, let signedData = try contentInfo[1].children(in: bytes).first else {
            throw CheckFailure("the CMS message has no content")
        }
        let parts = try signedData.children(in: bytes)
        guard parts.count >= 4 else { throw CheckFailure("the SignedData lacks a part") }
        let (version, digestAlgorithms, signers) = (parts[0], parts[1], parts[parts.count - 1])
        guard isOne(version, in: bytes) else { throw CheckFailure("the SignedData's version is not 1") }
        guard AlgorithmIdentifier.sha256.contains(AlgorithmIdentifier(der: Array(bytes[digestAlgorithms.content])))
        else { throw CheckFailure("the SignedData's digest algorithms are not SHA-256 alone") }
        for signer in try signers.children(in: bytes) {
            guard let version = try signer.children(in: bytes).first, isOne(version, in: bytes) else {
                throw CheckFailure("the SignerInfo's version is not 1")
            }
        }
    }

    private static func isOne(_ element: BERElement, in bytes: [UInt8]) -> Bool {
        element.tag == 0x02 && bytes[element.content].elementsEqual([1])
    }
}
