/// Where the parts of a CMS SignedData (RFC 5652, 5.1) lie that has exactly the layout of Apple's.
///
/// This is not a reader of CMS. It knows one message: two certificates, the signer's first; one signer, named by
/// issuer and serial number; signed attributes of the four types that Apple uses, each with one value; no content, no
/// revocation lists, no unsigned attributes. The outer layers may have definite or indefinite lengths. Everything that
/// OpenSSL would read with any freedom is either compared with the one accepted encoding, or handed out as a range for a check to
/// compare. OpenSSL judges every other message.
struct AppleMessageLayout {
    struct Attribute {
        /// In dotted form.
        let type: String
        /// The value in DER.
        let value: Range<Int>
    }

    let leaf: Range<Int>
    let intermediate: Range<Int>
    /// IssuerAndSerialNumber.
    let signerIdentifier: Range<Int>
    let digestAlgorithm: Range<Int>
    /// The signed attributes, in the order they came: what the signature covers but for the first byte.
    let signedAttributes: Range<Int>
    let attributes: [Attribute]
    let signatureAlgorithm: Range<Int>
    /// The signature's own bytes.
    let signature: Range<Int>

    /// The two certificates: they stand side by side.
    var certificates: Range<Int> { leaf.lowerBound..<intermediate.upperBound }

    /// - Throws: ``CheckFailure`` where the layout is another one, which does not make the message invalid.
    init(ber bytes: [UInt8]) throws(CheckFailure) {
        var cursor = BERCursor(bytes)
        let contentInfo = try cursor.enter(0x30)
        try cursor.pass(Self.signedDataType)
        let explicit = try cursor.enter(0xA0)
        let signedData = try cursor.enter(0x30)
        try cursor.pass(Self.versionOne)
        let digestAlgorithms = try cursor.pass(0x31).content
        guard AlgorithmIdentifier.sha256.contains(where: { $0.der.elementsEqual(bytes[digestAlgorithms]) }) else {
            throw CheckFailure("other digest algorithms")
        }
        let encapsulatedContent = try cursor.enter(0x30)
        try cursor.pass(Self.dataType)
        try cursor.leave(encapsulatedContent)
        let certificates = try cursor.enter(0xA0)
        leaf = try cursor.pass(0x30).element
        intermediate = try cursor.pass(0x30).element
        try cursor.leave(certificates)

        let signers = try cursor.enter(0x31)
        let signer = try cursor.enter(0x30)
        try cursor.pass(Self.versionOne)
        signerIdentifier = try cursor.pass(0x30).element
        digestAlgorithm = try cursor.pass(0x30).element
        let attributesFrame = try cursor.enterDefinite(0xA0)
        signedAttributes = attributesFrame.element
        attributes = try Self.attributes(in: bytes, &cursor)
        try cursor.leave(attributesFrame.frame)
        signatureAlgorithm = try cursor.pass(0x30).element
        signature = try cursor.pass(0x04).content
        for frame in [signer, signers, signedData, explicit, contentInfo] { try cursor.leave(frame) }
        guard cursor.isAtEnd else { throw CheckFailure("something follows") }
    }

    /// Only definite lengths: OpenSSL encodes the attributes again, in DER, before it hashes them, and here they are hashed
    /// as they came.
    private static func attributes(in bytes: [UInt8], _ cursor: inout BERCursor) throws(CheckFailure) -> [Attribute] {
        var attributes: [Attribute] = []
        while !cursor.isAtEnd {
            let attribute = try cursor.enterDefinite(0x30).frame
            let type = try cursor.pass(0x06).content
            guard let known = attributeTypes.first(where: { $0.der.elementsEqual(bytes[type]) }) else {
                throw CheckFailure("another signed attribute")
            }
            let values = try cursor.enterDefinite(0x31).frame
            attributes.append(Attribute(type: known.dotted, value: try cursor.pass().element))
            try cursor.leave(values)
            try cursor.leave(attribute)
        }
        return attributes
    }

    private static let signedDataType: [UInt8] = [
        0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02,
    ]
    private static let dataType: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
    private static let versionOne: [UInt8] = [0x02, 0x01, 0x01]

    private static let attributeTypes: [(der: [UInt8], dotted: String)] = [
        ([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x03], ObjectIdentifiers.contentType),
        ([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x04], ObjectIdentifiers.messageDigest),
        ([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x05], ObjectIdentifiers.signingTime),
        ([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x34], ObjectIdentifiers.cmsAlgorithmProtection),
    ]
}
