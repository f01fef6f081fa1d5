/// A CMS SignedData (RFC 5652, 5.1) over plain data, as Apple sends it.
///
/// The layers around the parts may have definite or indefinite lengths; the parts must be in DER. Every byte is
/// read, either as a part of these values or as a constant. Otherwise one payment could have many encodings.
struct SignedMessage: Sendable {
    /// The digest algorithms that the SignedData lists.
    let digestAlgorithms: [AlgorithmIdentifier]
    /// Whether the message contains its content.
    let hasContent: Bool
    /// The certificates in DER, in the message's order. OpenSSL parses them.
    let certificates: [ArraySlice<UInt8>]
    let signers: [Signer]
}

/// A SignerInfo (RFC 5652, 5.3).
final class Signer: Sendable {
    /// The issuer of the signer's certificate in DER. ``serialNumber`` is that certificate's serial number.
    let issuerName: ArraySlice<UInt8>
    let serialNumber: ArraySlice<UInt8>
    let digestAlgorithm: AlgorithmIdentifier
    let signatureAlgorithm: AlgorithmIdentifier
    let signedAttributes: [Attribute]
    /// The bytes that the signature covers: the signed attributes, with the tag of a SET OF in place of `[0]`
    /// (RFC 5652, 5.4).
    let signedBytes: [UInt8]
    let signature: ArraySlice<UInt8>

    /// The maximum number of attributes. Apple signs four.
    private static let attributeLimit = 16

    fileprivate init(_ reader: inout BERReader, in bytes: [UInt8]) throws(CheckFailure) {
        guard try reader.element(0x02, "the SignerInfo's version").isOne(in: bytes) else {
            throw CheckFailure("the SignerInfo's version is not 1")
        }
        // The issuer and the serial number are compared with those of the certificate byte for byte, so they must
        // be in DER.
        (issuerName, serialNumber) = try reader.within(0x30, "the signer identifier", isDER: true) {
            (reader) throws(CheckFailure) in
            (
                bytes[try reader.element(0x30, "the signer identifier's issuer").whole],
                bytes[try reader.element(0x02, "the signer identifier's serial number").whole]
            )
        }
        digestAlgorithm = try AlgorithmIdentifier(&reader, in: bytes)
        // RFC 5652, 5.3: without signed attributes, the signature would be over the content.
        // ``SignedAttributesCheck`` rejects such a message.
        let start = reader.position
        signedAttributes = reader.nextTag == 0xA0 ? try Self.attributes(&reader, in: bytes) : []
        signedBytes = signedAttributes.isEmpty ? [] : [0x31] + bytes[(start + 1)..<reader.position]
        signatureAlgorithm = try AlgorithmIdentifier(&reader, in: bytes)
        signature = bytes[try reader.element(0x04, "the signature").content]
    }

    private static func attributes(
        _ reader: inout BERReader, in bytes: [UInt8]
    ) throws(CheckFailure) -> [Attribute] {
        let start = reader.position
        let attributes = try reader.within(0xA0, "the signed attributes", isDER: true) {
            (reader) throws(CheckFailure) in
            var attributes: [Attribute] = []
            attributes.reserveCapacity(4)
            while reader.nextTag != nil {
                guard attributes.count < attributeLimit else {
                    throw CheckFailure("the signer signed more than \(attributeLimit) attributes")
                }
                attributes.append(try Attribute(&reader, in: bytes))
            }
            return attributes
        }
        try BERElement(in: bytes, at: start, limit: reader.position).requireDER(in: bytes, isSet: true)
        return attributes
    }
}

/// An Attribute (RFC 5652, 5.3): its type and its value, both in DER.
struct Attribute: Sendable {
    let type: ArraySlice<UInt8>
    /// The value; `nil` unless the attribute has exactly one value.
    let value: ArraySlice<UInt8>?
}

extension SignedMessage {
    /// The maximum number of certificates and of signers. Apple sends two certificates and one signer. The limit
    /// bounds the cost of a hostile message.
    static let partLimit = 8

    /// Parses a message. The message must be the whole of the bytes.
    ///
    /// - Throws: ``CheckFailure`` for any part that Apple's messages do not have, such as certificates that are
    ///   not X.509 certificates, revocation lists and unsigned attributes.
    init(ber bytes: [UInt8]) throws(CheckFailure) {
        var reader = BERReader(bytes)
        self = try reader.within(0x30, "the CMS message") { (reader) throws(CheckFailure) in
            let type = try reader.element(0x06, "the type of the CMS message")
            guard bytes[type.whole].elementsEqual(MessageIdentifiers.signedData) else {
                throw CheckFailure("the CMS message is not a SignedData")
            }
            return try reader.within(0xA0, "the content of the CMS message") { (reader) throws(CheckFailure) in
                try reader.within(0x30, "the SignedData") { (reader) throws(CheckFailure) in
                    try SignedMessage(signedData: &reader, in: bytes)
                }
            }
        }
        guard reader.nextTag == nil else {
            throw CheckFailure("\(bytes.count - reader.position) bytes follow the CMS message")
        }
    }

    private init(signedData reader: inout BERReader, in bytes: [UInt8]) throws(CheckFailure) {
        guard try reader.element(0x02, "the SignedData's version").isOne(in: bytes) else {
            throw CheckFailure("the SignedData's version is not 1")
        }
        digestAlgorithms = try reader.within(0x31, "the list of digest algorithms") { (reader) throws(CheckFailure) in
            var algorithms: [AlgorithmIdentifier] = []
            while reader.nextTag != nil { algorithms.append(try AlgorithmIdentifier(&reader, in: bytes)) }
            return algorithms
        }
        hasContent = try reader.within(0x30, "the signed content") { (reader) throws(CheckFailure) in
            let type = try reader.element(0x06, "the type of the signed content")
            guard bytes[type.whole].elementsEqual(MessageIdentifiers.data) else {
                throw CheckFailure("the signed content is not of type data")
            }
            guard reader.nextTag != nil else { return false }
            _ = try reader.within(0xA0, "the content") { (reader) throws(CheckFailure) in
                try reader.element(0x04, "the content")
            }
            return true
        }
        guard reader.nextTag == 0xA0 else { throw CheckFailure("the message has no certificates") }
        certificates = try reader.within(0xA0, "the certificates") { (reader) throws(CheckFailure) in
            var certificates: [ArraySlice<UInt8>] = []
            while reader.nextTag != nil { certificates.append(bytes[try reader.element(0x30, "a certificate").whole]) }
            return certificates
        }
        signers = try reader.within(0x31, "the list of signers") { (reader) throws(CheckFailure) in
            var signers: [Signer] = []
            while reader.nextTag != nil {
                let signer = try reader.within(0x30, "the SignerInfo") { (reader) throws(CheckFailure) in
                    try Signer(&reader, in: bytes)
                }
                signers.append(signer)
            }
            return signers
        }
        guard !certificates.isEmpty else { throw CheckFailure("the message has no certificates") }
        guard certificates.count <= Self.partLimit, signers.count <= Self.partLimit else {
            throw CheckFailure(
                "the message has \(certificates.count) certificates and \(signers.count) signers; at most \(Self.partLimit) "
                    + "are read")
        }
    }
}

extension Attribute {
    fileprivate init(_ reader: inout BERReader, in bytes: [UInt8]) throws(CheckFailure) {
        (type, value) = try reader.within(0x30, "a signed attribute", isDER: true) { (reader) throws(CheckFailure) in
            let type = try reader.element(0x06, "the type of a signed attribute")
            let values = try reader.element(0x31, "the values of a signed attribute")
            guard !values.content.isEmpty else { return (bytes[type.whole], nil) }
            let first = try BERElement(in: bytes, at: values.content.lowerBound, limit: values.end)
            return (bytes[type.whole], first.end == values.end ? bytes[first.whole] : nil)
        }
    }
}

extension AlgorithmIdentifier {
    /// Reads an algorithm identifier. Its DER is later compared with the algorithms that Apple uses.
    fileprivate init(_ reader: inout BERReader, in bytes: [UInt8]) throws(CheckFailure) {
        der = bytes[try reader.element(0x30, "an algorithm").whole]
    }
}

extension BERElement {
    fileprivate func isOne(in bytes: [UInt8]) -> Bool {
        bytes[content].elementsEqual([1])
    }
}
