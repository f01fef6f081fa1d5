import Crypto
package import FoundationEssentials
package import SwiftASN1

/// A signed attribute (RFC 5652, 11) with one value.
package struct CMSAttribute: DERSerializable, Sendable {
    package var type: ASN1ObjectIdentifier
    /// The value in DER.
    package var value: [UInt8]

    package init(type: ASN1ObjectIdentifier, value: [UInt8]) {
        self.type = type
        self.value = value
    }

    package func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(type)
            coder.appendConstructedNode(identifier: .set) { $0.serializeRawBytes(value) }
        }
    }
}

extension CMSAttribute {
    package static func contentType(_ type: ASN1ObjectIdentifier = .data) throws -> CMSAttribute {
        CMSAttribute(type: [1, 2, 840, 113549, 1, 9, 3], value: try type.der())
    }

    package static func messageDigest(of content: [UInt8]) throws -> CMSAttribute {
        let digest = ASN1OctetString(contentBytes: Array(SHA256.hash(data: content))[...])
        return CMSAttribute(type: [1, 2, 840, 113549, 1, 9, 4], value: try digest.der())
    }

    /// Returns a signingTime as UTCTime, which can express times until 2049.
    package static func signingTime(_ moment: Date) throws -> CMSAttribute {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: moment)
        let time = try UTCTime(
            year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0, hours: parts.hour ?? 0,
            minutes: parts.minute ?? 0, seconds: parts.second ?? 0)
        return CMSAttribute(type: [1, 2, 840, 113549, 1, 9, 5], value: try time.der())
    }

    /// Returns CMSAlgorithmProtection (RFC 6211).
    package static func algorithmProtection(
        digest: ASN1ObjectIdentifier = .sha256, signature: ASN1ObjectIdentifier = .ecdsaWithSHA256
    ) throws -> CMSAttribute {
        var coder = DER.Serializer()
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.appendConstructedNode(identifier: .sequence) { try $0.serialize(digest) }
            try coder.appendConstructedNode(identifier: .init(tagWithNumber: 1, tagClass: .contextSpecific)) {
                try $0.serialize(signature)
            }
        }
        return CMSAttribute(type: [1, 2, 840, 113549, 1, 9, 52], value: coder.serializedBytes)
    }
}

extension [CMSAttribute] {
    /// Returns the signed attributes that Apple has used since 2017, in Apple's order.
    package static func apple(
        over content: [UInt8], at moment: Date, signature: ASN1ObjectIdentifier
    ) throws -> [CMSAttribute] {
        try [
            .contentType(), .signingTime(moment), .algorithmProtection(signature: signature),
            .messageDigest(of: content),
        ]
    }
}
