import Crypto
public import PayrelayPrimitives

/// The signature of a message: the hash of its ``CanonicalText`` between two phrases, in lower-case hex.
///
/// Requests are signed with the SHA request phrase, answers and notifications with the SHA response phrase. In the two HMAC
/// types the phrase still stands at both ends and is the key as well (APS's WooCommerce and Magento plugins).
public struct FortSignature: Hashable, Sendable, CustomStringConvertible {
    /// 64 or 128 hex digits, lower case.
    public let hexadecimal: String

    /// The parameter that carries it, and that it does not cover.
    static let parameterName = "signature"

    public init(of message: JSONObject, phrase: Secret, type: FortSignatureType) {
        self.init(ofSorted: message.sortedByName(), phrase: phrase, type: type)
    }

    /// - Parameter message: with its names ascending by byte.
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

    /// Whether a message carries this signature, in whatever case its hex digits are. Takes the same time wherever they
    /// differ.
    public func matches(_ received: String) -> Bool {
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "F")
        return equalInConstantTime(
            Array(hexadecimal.utf8), received.utf8.map { capitals.contains($0) ? $0 | 0x20 : $0 })
    }

    public var description: String { hexadecimal }
}

/// How an account signs: the "SHA type" that its dashboard shows under Security Settings.
///
/// APS documents the two plain digests; its plugins offer the two HMACs too. SHA-1 (the dashboard's "SHA-128") is left
/// out on purpose.
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
