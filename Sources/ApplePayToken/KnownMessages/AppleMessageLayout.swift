/// Where those parts of a CMS SignedData (RFC 5652, 5.1) lie that differ between two of Apple's messages, where the message has
/// exactly the layout of Apple's.
///
/// That is: indefinite lengths in the layers around the certificates and the signer, and DER within these; two
/// certificates; one signer, named by issuer and serial number; one signing time and one message digest among its signed
/// attributes; no content, no revocation lists, no unsigned attributes. A sender who could choose among many forms of one valid
/// message could fill the ``KnownMessageCache``.
struct AppleMessageLayout {
    /// The signing time in DER.
    let signingTime: Range<Int>
    /// The bytes of the message digest.
    let messageDigest: Range<Int>
    /// The signed attributes: what the signature covers, but for the first byte.
    let signedAttributes: Range<Int>
    /// The signature's own bytes.
    let signature: Range<Int>
    /// The lengths that grow with the signature, in the order they stand.
    let lengths: [DERLength]

    /// - Throws: ``CheckFailure`` where the layout is another one, which does not make the message invalid.
    init(ber bytes: [UInt8]) throws(CheckFailure) {
        let message = try BERElement(in: bytes, at: 0, limit: bytes.count)
        let contentInfo = try message.children(in: bytes, tagged: [0x06, 0xA0])
        let explicit = try contentInfo[1].children(in: bytes, tagged: [0x30])
        let signedData = try explicit[0].children(in: bytes, tagged: [0x02, 0x31, 0x30, 0xA0, 0x31])
        let (digestAlgorithms, content, signers) = (signedData[1], signedData[2], signedData[4])
        let certificates = try signedData[3].children(in: bytes, tagged: [0x30, 0x30])
        let signer = try signers.children(in: bytes, tagged: [0x30])[0]
        let parts = try signer.children(in: bytes, tagged: [0x02, 0x30, 0x30, 0xA0, 0x30, 0x04])
        _ = try content.children(in: bytes, tagged: [0x06])
        for layer in [message, contentInfo[1], explicit[0], content, signedData[3]] where layer.hasDefiniteLength {
            throw CheckFailure("an outer layer has a definite length")
        }
        for part in certificates + [digestAlgorithms, signers] where try !part.isDER(in: bytes) {
            throw CheckFailure("an inner part has an indefinite length")
        }
        guard message.end == bytes.count, bytes[digestAlgorithms.content] == bytes[parts[2].whole] else {
            throw CheckFailure("something follows, or the digest algorithms are spelled in two ways")
        }

        signingTime = try Self.value(ofType: 5, tags: [0x17, 0x18], among: parts[3], in: bytes).whole
        messageDigest = try Self.value(ofType: 4, tags: [0x04], among: parts[3], in: bytes).content
        signedAttributes = parts[3].whole
        signature = parts[5].content
        lengths = [signers, signer, parts[5]].map(DERLength.init)
    }

    /// The one value of the one attribute of a type in PKCS #9 (RFC 2985).
    private static func value(
        ofType type: UInt8, tags: [UInt8], among attributes: BERElement, in bytes: [UInt8]
    ) throws(CheckFailure) -> BERElement {
        let identifier: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, type]
        var found: [BERElement] = []
        for attribute in try attributes.children(in: bytes) {
            let parts = try attribute.children(in: bytes, tagged: [0x06, 0x31])
            if bytes[parts[0].content].elementsEqual(identifier) { found += try parts[1].children(in: bytes) }
        }
        guard let value = found.first, found.count == 1, tags.contains(value.tag) else {
            throw CheckFailure("a signed attribute has not exactly one value of its kind")
        }
        return value
    }
}

/// The length of an element, where it is written in DER (ITU-T X.690, 10.1).
struct DERLength {
    /// Where it is written.
    let place: Range<Int>
    private let length: Int

    init(_ element: BERElement) {
        place = (element.start + 1)..<element.content.lowerBound
        length = element.content.count
    }

    /// Whether the length that is so much greater stands at the same place in other bytes, written in as many bytes.
    func stands(in bytes: UnsafeRawBufferPointer, greaterBy growth: Int) -> Bool {
        let grown = length + growth
        let digits = place.count - 1
        guard grown >= 0, digits == (grown < 0x80 ? 0 : grown < 0x100 ? 1 : 2), grown < 0x10000 else { return false }
        guard digits > 0 else { return bytes[place.lowerBound] == grown }
        guard bytes[place.lowerBound] == 0x80 | digits else { return false }
        return (1...digits).allSatisfy { Int(bytes[place.lowerBound + $0]) == grown >> (8 * (digits - $0)) & 0xFF }
    }
}

extension BERElement {
    /// - Throws: ``CheckFailure`` where the elements directly within this one do not have exactly these tags.
    fileprivate func children(in bytes: [UInt8], tagged tags: [UInt8]) throws(CheckFailure) -> [BERElement] {
        let children = try children(in: bytes)
        guard children.map(\.tag) == tags else {
            throw CheckFailure("other elements stand at byte \(content.lowerBound)")
        }
        return children
    }
}
