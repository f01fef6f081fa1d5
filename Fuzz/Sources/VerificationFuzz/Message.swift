import Crypto
import SwiftASN1

/// A minted message in pieces, into which other signed attributes can be put, in the layout of Apple's messages.
struct Message: Sendable {
    let bytes: [UInt8]
    /// The signed attributes without their header.
    let attributes: [UInt8]
    private let beforeSigners: [UInt8]
    private let beforeAttributes: [UInt8]
    private let signatureAlgorithm: [UInt8]

    init(_ bytes: [UInt8]) throws {
        self.bytes = bytes
        let explicit = try Self.children(of: BER.parse(bytes))[1]
        let signedData = try Self.children(of: Self.children(of: explicit)[0])
        let signer = try Self.children(of: Self.children(of: signedData[4])[0])
        beforeSigners = signedData[..<4].flatMap { Array($0.encodedBytes) }
        beforeAttributes = signer[..<3].flatMap { Array($0.encodedBytes) }
        attributes = try Self.children(of: signer[3]).flatMap { Array($0.encodedBytes) }
        signatureAlgorithm = Array(signer[4].encodedBytes)
    }

    /// Returns the message with these attributes, signed by this key.
    func signing(_ attributes: [UInt8], with key: P256.Signing.PrivateKey) throws -> [UInt8] {
        let signature = try key.signature(for: Self.element(0x31, attributes)).derRepresentation
        return with(attributes, signature: Array(signature))
    }

    /// Returns the message with these attributes and this signature.
    func with(_ attributes: [UInt8], signature: [UInt8]) -> [UInt8] {
        let signer = Self.element(
            0x30,
            beforeAttributes + Self.element(0xA0, attributes) + signatureAlgorithm + Self.element(0x04, signature))
        let signedData = Self.indefinite(0x30, beforeSigners + Self.element(0x31, signer))
        return Self.indefinite(0x30, Self.signedDataType + Self.indefinite(0xA0, signedData))
    }

    /// Returns the attributes with other values. Each value replaces as many bytes as it has, from the first byte of the
    /// attribute's value.
    func attributes(signingTime: some Collection<UInt8>, messageDigest: some Collection<UInt8>) -> [UInt8] {
        var changed = attributes
        for (header, value) in [
            ([0x31, 0x0F, 0x17, 0x0D], Array(signingTime)), ([0x31, 0x22, 0x04, 0x20], Array(messageDigest)),
        ]
            as [([UInt8], [UInt8])]
        {
            guard let place = attributes.indices.first(where: { attributes[$0...].starts(with: header) }) else {
                continue
            }
            let start = place + header.count
            changed.replaceSubrange(
                start..<(start + min(value.count, Int(header[3]))), with: value.prefix(Int(header[3])))
        }
        return changed
    }

    private static let signedDataType: [UInt8] = [
        0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02,
    ]

    private static func children(of node: ASN1Node) throws -> [ASN1Node] {
        guard case .constructed(let children) = node.content else {
            throw ASN1Error.unexpectedFieldType(node.identifier)
        }
        return Array(children)
    }

    private static func indefinite(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag, 0x80] + content + [0, 0]
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        switch content.count {
        case 0..<0x80: [tag, UInt8(content.count)] + content
        case 0x80..<0x100: [tag, 0x81, UInt8(content.count)] + content
        default: [tag, 0x82, UInt8(content.count >> 8 & 0xFF), UInt8(content.count & 0xFF)] + content
        }
    }
}
