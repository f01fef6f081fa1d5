import Crypto
public import PayrelayPrimitives

/// The signature of a message: the hash of its ``CanonicalText`` with the phrase at both ends, in lower-case hex.
///
/// Requests are signed with the SHA request phrase, answers and feedback with the SHA response phrase. In the two
/// HMAC types the phrase is at both ends and is also the key, as in APS's WooCommerce and Magento plugins.
public struct FortSignature: Hashable, Sendable, CustomStringConvertible {
    /// The 64 or 128 hex digits, in lower case.
    public let hexadecimal: String

    /// The parameter that carries the signature. The signature does not cover it.
    static let parameterName = "signature"

    public init(of message: JSONObject, phrase: Secret, type: FortSignatureType) {
        self.init(ofSorted: message.sortedByName(), phrase: phrase, type: type)
    }

    /// - Parameter message: a message whose names ascend by byte.
    init(ofSorted message: JSONObject, phrase: Secret, type: FortSignatureType) {
        var key: SymmetricKey { SymmetricKey(data: Array(phrase.exposed.utf8)) }
        hexadecimal = CanonicalText.withExposed(message, within: phrase) { text in
            switch type {
            case .hmacSHA256:
                HMAC<SHA256>.authenticationCode(for: text, using: key).withUnsafeBytes(HexText.text)
            case .hmacSHA512:
                HMAC<SHA512>.authenticationCode(for: text, using: key).withUnsafeBytes(HexText.text)
            case .sha256: SHA256.hash(data: text).withUnsafeBytes(HexText.text)
            case .sha512: SHA512.hash(data: text).withUnsafeBytes(HexText.text)
            }
        }
    }

    /// Whether a received text is this signature. The case of its hex digits is ignored. The comparison takes the
    /// same time wherever the texts differ.
    public func matches(_ received: String) -> Bool {
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "F")
        return equalInConstantTime(
            Array(hexadecimal.utf8), received.utf8.map { capitals.contains($0) ? $0 | 0x20 : $0 })
    }

    public var description: String { hexadecimal }
}

/// The way in which an account signs: the "SHA type" that APS's dashboard shows under Security Settings.
///
/// APS documents the two plain digests, and its plugins also offer the two HMACs. SHA-1 (the dashboard's
/// "SHA-128") is left out on purpose.
public enum FortSignatureType: String, Hashable, Sendable, CaseIterable {
    /// The dashboard's "HMAC-256".
    case hmacSHA256 = "hmac-sha256"
    /// The dashboard's "HMAC-512".
    case hmacSHA512 = "hmac-sha512"
    case sha256
    case sha512

    /// HMAC-SHA256.
    public static let standard = hmacSHA256
}
