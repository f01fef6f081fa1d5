package import SwiftASN1

extension ASN1ObjectIdentifier {
    package static let data: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 1]
    package static let signedData: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 2]
    package static let sha1: ASN1ObjectIdentifier = [1, 3, 14, 3, 2, 26]
    package static let sha256: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 1]
    package static let ecdsaWithSHA256: ASN1ObjectIdentifier = [1, 2, 840, 10045, 4, 3, 2]
    package static let sha256WithRSA: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 11]
}

extension DERSerializable {
    /// This value in DER.
    package func der() throws -> [UInt8] {
        var coder = DER.Serializer()
        try coder.serialize(self)
        return coder.serializedBytes
    }
}

extension DER.Serializer {
    /// An AlgorithmIdentifier (RFC 5280, 4.1.1.2) without parameters: they are left out, or NULL.
    mutating func serializeAlgorithm(_ algorithm: ASN1ObjectIdentifier, asNull: Bool) throws {
        try appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(algorithm)
            if asNull { try coder.serialize(ASN1Null()) }
        }
    }
}
