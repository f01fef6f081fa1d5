import Crypto
import PayrelayPrimitives

/// A way to compute a signature, right or wrong: the signed parameters, their order and spelling, the phrases
/// around them, and the hash. The initial recipe is the right one, with which ``FortSignature`` computes. A
/// mistake changes a part of it.
struct SignatureRecipe: Sendable {
    enum Order: Sendable {
        case names
        case namesIgnoringCase
        /// The joined `name=value` texts are sorted instead of the names.
        case pairs
        case asWritten
    }

    enum Hash: Sendable {
        case sha1
        case sha256
        case sha512

        var hexadecimalLength: Int {
            switch self {
            case .sha1: 40
            case .sha256: 64
            case .sha512: 128
            }
        }
    }

    var message: JSONObject
    var unsignedNames: Set<String> = ["signature"]
    var order = Order.names
    var writesNames = true
    var equals = "="
    var separator = ""
    /// The text to hash instead of the pairs; `nil` for the pairs.
    var text: String?
    var opening: String
    var closing: String
    var isKeyed: Bool
    var key: String
    var hash: Hash
    /// The account's other phrase; `nil` if it is not known.
    let otherPhrase: String?

    init(message: JSONObject, phrase: Secret, otherPhrase: Secret?, type: FortSignatureType) {
        self.message = message
        opening = phrase.exposed
        closing = phrase.exposed
        key = phrase.exposed
        self.otherPhrase = otherPhrase?.exposed
        (isKeyed, hash) =
            switch type {
            case .hmacSHA256: (true, .sha256)
            case .hmacSHA512: (true, .sha512)
            case .sha256: (false, .sha256)
            case .sha512: (false, .sha512)
            }
    }

    /// The signature in lower-case hex.
    var hexadecimal: String {
        let bytes = Array((opening + (text ?? joinedPairs) + closing).utf8)
        let key = SymmetricKey(data: Array(key.utf8))
        return switch (hash, isKeyed) {
        case (.sha1, false): HexText(encoding: Insecure.SHA1.hash(data: bytes)).text
        case (.sha1, true): HexText(encoding: HMAC<Insecure.SHA1>.authenticationCode(for: bytes, using: key)).text
        case (.sha256, false): HexText(encoding: SHA256.hash(data: bytes)).text
        case (.sha256, true): HexText(encoding: HMAC<SHA256>.authenticationCode(for: bytes, using: key)).text
        case (.sha512, false): HexText(encoding: SHA512.hash(data: bytes)).text
        case (.sha512, true): HexText(encoding: HMAC<SHA512>.authenticationCode(for: bytes, using: key)).text
        }
    }

    private var joinedPairs: String {
        let pairs = sortedMembers.filter { !unsignedNames.contains($0.name) }.map(text(of:))
        return (order == .pairs ? pairs.sorted(by: SignatureRecipe.ascend) : pairs).joined(separator: separator)
    }

    private var sortedMembers: [JSONObject.Member] {
        switch order {
        case .asWritten, .pairs: message.members
        case .names: message.sortedByName().members
        case .namesIgnoringCase:
            message.members.sorted { SignatureRecipe.ascend($0.name.lowercasedASCII, $1.name.lowercasedASCII) }
        }
    }

    private func text(of member: JSONObject.Member) -> String {
        (writesNames ? member.name + equals : "") + CanonicalText.text(of: member.value)
    }

    private static func ascend(_ one: String, _ other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }
}
