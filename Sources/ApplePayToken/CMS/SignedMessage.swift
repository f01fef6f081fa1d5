/// A CMS SignedData (RFC 5652, 5.1) over plain data, as Apple sends it.
///
/// The layers around the parts may have either form of length; the parts are in DER. Every byte is read, as one of these values or as
/// what must stand there: a byte that nothing covers would let one payment have many encodings.
struct SignedMessage: Sendable {
    /// Those that the SignedData lists.
    let digestAlgorithms: [AlgorithmIdentifier]
    /// Whether the content is inside the message.
    let hasContent: Bool
    /// The certificates, in the order they stand. What is inside them is left to OpenSSL.
    let certificates: [ArraySlice<UInt8>]
    let signers: [Signer]
}

/// A SignerInfo (RFC 5652, 5.3).
final class Signer: Sendable {
    /// The issuer and the serial number of its certificate, each in DER.
    let issuerName: ArraySlice<UInt8>
    let serialNumber: ArraySlice<UInt8>
    let digestAlgorithm: AlgorithmIdentifier
    let signatureAlgorithm: AlgorithmIdentifier
    let signedAttributes: [Attribute]
    /// What the signature is over: the signed attributes with the tag of a SET OF in place of [0] (RFC 5652, 5.4).
    let signedBytes: [UInt8]
    let signature: ArraySlice<UInt8>

    /// Apple signs four.
    private static let attributeLimit = 16

    fileprivate init(_ info: BERElement, in bytes: [UInt8]) throws(CheckFailure) {
        var parts = try info.children(in: bytes)
        guard info.tag == 0x30, let version = parts.first, version.isOne(in: bytes) else {
            throw CheckFailure("the SignerInfo's version is not 1")
        }
        // RFC 5652, 5.3: they may be absent, and the signature is then over the content.
        let attributes = parts.count > 3 && parts[3].tag == 0xA0 ? parts.remove(at: 3) : nil
        guard parts.haveTags(0x02, 0x30, 0x30, 0x30, 0x04) else {
            throw CheckFailure("the SignerInfo lacks a part, or has one more than Apple's")
        }
        let identifier = try parts[1].children(in: bytes)
        // What is inside is compared with the certificate's, byte for byte.
        guard parts[1].hasDefiniteLength, identifier.haveTags(0x30, 0x02) else {
            throw CheckFailure("the signer identifier is not an issuer and a serial number in DER")
        }
        issuerName = bytes[identifier[0].whole]
        serialNumber = bytes[identifier[1].whole]
        digestAlgorithm = try AlgorithmIdentifier(parts[2], in: bytes)
        signatureAlgorithm = try AlgorithmIdentifier(parts[3], in: bytes)
        signature = bytes[parts[4].content]
        guard let attributes else {
            signedAttributes = []
            signedBytes = []
            return
        }
        try attributes.requireDER(in: bytes, isSet: true)
        let elements = try attributes.children(in: bytes)
        guard elements.count <= Self.attributeLimit else {
            throw CheckFailure(
                "the signer signed \(elements.count) attributes; at most \(Self.attributeLimit) are read")
        }
        var signedAttributes: [Attribute] = []
        for element in elements {
            signedAttributes.append(try Attribute(element, in: bytes))
        }
        self.signedAttributes = signedAttributes
        signedBytes = [0x31] + bytes[attributes.whole].dropFirst()
    }
}

/// An Attribute (RFC 5652, 5.3): its type and its value in DER.
struct Attribute: Sendable {
    let type: ArraySlice<UInt8>
    /// nil where it has not exactly one.
    let value: ArraySlice<UInt8>?
}

extension SignedMessage {
    /// How many certificates and how many signers are read. Apple sends two and one; the bound keeps a hostile message from costing
    /// much.
    static let partLimit = 8

    /// Reads a message that fills the bytes.
    ///
    /// - Throws: ``CheckFailure`` for everything that it does not know, such as certificates that are not X.509's, revocation lists and
    ///   unsigned attributes.
    init(ber bytes: [UInt8]) throws(CheckFailure) {
        let message = try BERElement(in: bytes, at: 0, limit: bytes.count)
        guard message.end == bytes.count else {
            throw CheckFailure("\(bytes.count - message.end) bytes follow the CMS message")
        }
        let contentInfo = try message.children(in: bytes)
        guard message.tag == 0x30, contentInfo.haveTags(0x06, 0xA0) else {
            throw CheckFailure("the CMS message is not a type and its content")
        }
        guard bytes[contentInfo[0].whole].elementsEqual(MessageIdentifiers.signedData) else {
            throw CheckFailure("the CMS message is not a SignedData")
        }
        let content = try contentInfo[1].children(in: bytes)
        guard content.haveTags(0x30) else { throw CheckFailure("the CMS message has no content") }
        try self.init(signedData: content[0], in: bytes)
    }

    private init(signedData: BERElement, in bytes: [UInt8]) throws(CheckFailure) {
        let parts = try signedData.children(in: bytes)
        guard !parts.haveTags(0x02, 0x31, 0x30, 0x31) else { throw CheckFailure("the message has no certificates") }
        guard parts.haveTags(0x02, 0x31, 0x30, 0xA0, 0x31) else {
            throw CheckFailure("the SignedData lacks a part, or has one more than Apple's")
        }
        guard parts[0].isOne(in: bytes) else { throw CheckFailure("the SignedData's version is not 1") }

        var digestAlgorithms: [AlgorithmIdentifier] = []
        for element in try parts[1].children(in: bytes) {
            digestAlgorithms.append(try AlgorithmIdentifier(element, in: bytes))
        }
        self.digestAlgorithms = digestAlgorithms

        let encapsulated = try parts[2].children(in: bytes)
        guard let type = encapsulated.first, bytes[type.whole].elementsEqual(MessageIdentifiers.data) else {
            throw CheckFailure("the signed content is not of type data")
        }
        hasContent = encapsulated.count > 1

        let certificates = try parts[3].children(in: bytes)
        guard !certificates.isEmpty else { throw CheckFailure("the message has no certificates") }
        guard certificates.allSatisfy({ $0.tag == 0x30 && $0.hasDefiniteLength }) else {
            throw CheckFailure("the certificates are not all X.509's, in DER")
        }
        self.certificates = certificates.map { bytes[$0.whole] }

        let infos = try parts[4].children(in: bytes)
        guard certificates.count <= Self.partLimit, infos.count <= Self.partLimit else {
            throw CheckFailure(
                "the message has \(certificates.count) certificates and \(infos.count) signers; at most \(Self.partLimit) "
                    + "are read")
        }
        var signers: [Signer] = []
        for info in infos { signers.append(try Signer(info, in: bytes)) }
        self.signers = signers
    }
}

extension Attribute {
    fileprivate init(_ element: BERElement, in bytes: [UInt8]) throws(CheckFailure) {
        let end = element.content.upperBound
        let type = try BERElement(in: bytes, at: element.content.lowerBound, limit: end)
        let values = try BERElement(in: bytes, at: type.end, limit: end)
        guard element.tag == 0x30, type.tag == 0x06, values.tag == 0x31, values.end == end else {
            throw CheckFailure("a signed attribute is not a type and its values")
        }
        self.type = bytes[type.whole]
        let first = values.content.isEmpty ? nil : try BERElement(in: bytes, at: values.content.lowerBound, limit: end)
        value = first?.end == values.content.upperBound ? first.map { bytes[$0.whole] } : nil
    }
}

extension AlgorithmIdentifier {
    fileprivate init(_ element: BERElement, in bytes: [UInt8]) throws(CheckFailure) {
        // What is inside is compared with the DER of those that Apple uses.
        guard element.tag == 0x30, element.hasDefiniteLength else {
            throw CheckFailure("the BER has no algorithm in DER at byte \(element.start)")
        }
        der = bytes[element.whole]
    }
}

extension [BERElement] {
    @inline(__always) fileprivate func haveTags(_ tags: UInt8...) -> Bool {
        count == tags.count && indices.allSatisfy { self[$0].tag == tags[$0] }
    }
}

extension BERElement {
    fileprivate func isOne(in bytes: [UInt8]) -> Bool {
        tag == 0x02 && bytes[content].elementsEqual([1])
    }
}
