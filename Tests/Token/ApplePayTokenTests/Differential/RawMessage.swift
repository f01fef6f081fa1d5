import Crypto

@testable import ApplePayToken

/// A CMS message in pieces. Each piece can be replaced with any bytes, and the message can be put together in either form of
/// BER.
struct RawMessage {
    /// The constructed elements around the pieces.
    enum Layer: CaseIterable {
        case contentInfo, explicit, signedData, encapsulated, certificates, signers, signer, attributes
    }

    var indefinite: Set<Layer> = [.contentInfo, .explicit, .signedData, .encapsulated, .certificates]
    var digestAlgorithms: [UInt8]
    /// The bytes behind the content's type.
    var content: [UInt8] = []
    var certificates: [[UInt8]]
    /// The bytes behind the certificates.
    var revocations: [UInt8] = []
    var signerIdentifier: [UInt8]
    var digestAlgorithm: [UInt8]
    var attributes: [[UInt8]]
    var signatureAlgorithm: [UInt8]
    var signature: [UInt8]
    /// The bytes behind the signature.
    var unsigned: [UInt8] = []
    var signerCount = 1

    init(_ ber: [UInt8]) throws {
        let signedData = try Self.elements(in: Self.elements(in: Self.elements(in: ber)[1])[0])
        let signer = try Self.elements(in: Self.elements(in: signedData[4])[0])
        digestAlgorithms = signedData[1]
        certificates = try Self.elements(in: signedData[3])
        signerIdentifier = signer[1]
        digestAlgorithm = signer[2]
        attributes = try Self.elements(in: signer[3])
        signatureAlgorithm = signer[4]
        signature = Array(signer[5].dropFirst(signer[5].count < 0x82 ? 2 : 4))
    }

    struct NotBER: Error {}

    /// Returns the direct elements of an element.
    static func elements(in bytes: [UInt8]) throws -> [[UInt8]] {
        let whole = try place(in: bytes, at: 0)
        var (elements, start) = ([[UInt8]](), whole.content.lowerBound)
        while start < whole.content.upperBound {
            let end = try place(in: bytes, at: start).end
            elements.append(Array(bytes[start..<end]))
            start = end
        }
        return elements
    }

    /// Returns the range of an element's content, and the element's end. Tags have one byte, and lengths have up to two.
    private static func place(in bytes: [UInt8], at start: Int) throws -> (content: Range<Int>, end: Int) {
        guard start + 2 <= bytes.count else { throw NotBER() }
        let length = bytes[start + 1]
        guard length != 0x80 else {
            var position = start + 2
            while position < bytes.count, bytes[position] != 0 { position = try place(in: bytes, at: position).end }
            guard position + 2 <= bytes.count, bytes[position + 1] == 0 else { throw NotBER() }
            return (start + 2..<position, position + 2)
        }
        let digits = length < 0x80 ? 0 : Int(length & 0x7F)
        guard digits <= 2, start + 2 + digits <= bytes.count else { throw NotBER() }
        let first = start + 2 + digits
        let count = digits == 0 ? Int(length) : bytes[start + 2..<first].reduce(0) { $0 << 8 | Int($1) }
        guard count <= bytes.count - first else { throw NotBER() }
        return (first..<first + count, first + count)
    }

    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        header(tag, length: content.count) + content
    }

    static func header(_ tag: UInt8, length: Int) -> [UInt8] {
        switch length {
        case 0..<0x80: [tag, UInt8(length)]
        case 0x80..<0x100: [tag, 0x81, UInt8(length)]
        case 0x100..<0x10000: [tag, 0x82, UInt8(length >> 8), UInt8(length & 0xFF)]
        default: [tag, 0x83, UInt8(length >> 16), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)]
        }
    }

    /// Signs the attributes in their present form.
    mutating func sign(with key: P256.Signing.PrivateKey) throws {
        let signed = Self.element(0x31, Array(attributes.joined()))
        signature = Array(try key.signature(for: signed).derRepresentation)
    }

    /// Replaces the signature with the other valid one for the same key and bytes: every ECDSA signature (r, s) has the twin
    /// (r, n-s).
    mutating func takeTwin() throws {
        let raw = Array(try P256.Signing.ECDSASignature(derRepresentation: signature).rawRepresentation)
        var twin = Array(raw.prefix(32))
        twin += [UInt8](repeating: 0, count: 32)
        var borrow = 0
        for place in stride(from: 31, through: 0, by: -1) {
            let difference = Int(Self.order[place]) - Int(raw[32 + place]) - borrow
            borrow = difference < 0 ? 1 : 0
            twin[32 + place] = UInt8(truncatingIfNeeded: difference)
        }
        signature = Array(try P256.Signing.ECDSASignature(rawRepresentation: twin).derRepresentation)
    }

    func ber() -> [UInt8] {
        let signer = layer(
            .signer, 0x30,
            Self.versionOne + signerIdentifier + digestAlgorithm
                + (attributes.isEmpty ? [] : layer(.attributes, 0xA0, Array(attributes.joined())))
                + signatureAlgorithm + Self.element(0x04, signature) + unsigned)
        let signers = Array(repeatElement(signer, count: signerCount).joined())
        let signedData = layer(
            .signedData, 0x30,
            Self.versionOne + digestAlgorithms
                + layer(
                    .encapsulated, 0x30, Self.oid([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]) + content)
                + layer(.certificates, 0xA0, Array(certificates.joined())) + revocations
                + layer(.signers, 0x31, signers))
        return layer(
            .contentInfo, 0x30,
            Self.oid([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]) + layer(.explicit, 0xA0, signedData))
    }

    private func layer(_ layer: Layer, _ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        indefinite.contains(layer) ? [tag, 0x80] + content + [0, 0] : Self.element(tag, content)
    }

    static func oid(_ bytes: [UInt8]) -> [UInt8] {
        element(0x06, bytes)
    }

    private static let versionOne: [UInt8] = [0x02, 0x01, 0x01]

    /// The order n of the group of P-256 (SEC 2, 2.4.2).
    private static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]
}
