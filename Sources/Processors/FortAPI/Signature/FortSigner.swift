import Crypto
import PayrelayPrimitives

/// Signs messages with a phrase. What a keyed hash makes of the phrase alone is computed once.
struct FortSigner: Sendable, Equatable, Redacted {
    private enum Hash {
        case hmacSHA256(HMAC<SHA256>)
        case hmacSHA512(HMAC<SHA512>)
        case sha256
        case sha512
    }

    let phrase: Secret
    let type: FortSignatureType
    private let hash: Hash

    init(phrase: Secret, type: FortSignatureType) {
        self.phrase = phrase
        self.type = type
        let key = SymmetricKey(data: Array(phrase.exposed.utf8))
        hash =
            switch type {
            case .hmacSHA256: .hmacSHA256(HMAC(key: key))
            case .hmacSHA512: .hmacSHA512(HMAC(key: key))
            case .sha256: .sha256
            case .sha512: .sha512
            }
    }

    func signature(of message: JSONObject) -> FortSignature {
        CanonicalText.withExposed(message, within: phrase) { text in
            switch hash {
            case .hmacSHA256(var hash):
                hash.update(data: text)
                return hash.finalize().withUnsafeBytes { FortSignature($0) }
            case .hmacSHA512(var hash):
                hash.update(data: text)
                return hash.finalize().withUnsafeBytes { FortSignature($0) }
            case .sha256: return SHA256.hash(data: text).withUnsafeBytes { FortSignature($0) }
            case .sha512: return SHA512.hash(data: text).withUnsafeBytes { FortSignature($0) }
            }
        }
    }

    static func == (one: FortSigner, other: FortSigner) -> Bool {
        one.phrase == other.phrase && one.type == other.type
    }

    var description: String { type.rawValue }
}
