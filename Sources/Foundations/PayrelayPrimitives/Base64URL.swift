/// base64url without padding (RFC 7515, 2; RFC 4648, 5).
public enum Base64URL {
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let letters = Base64Text(encoding: Array(bytes)).text.utf8.prefix { $0 != padding }
        return String(decoding: letters.map { $0 == plus ? minus : $0 == slash ? underscore : $0 }, as: UTF8.self)
    }

    /// Decodes a text. Returns `nil` unless ``encode(_:)`` would write exactly this text, because a second text
    /// for the same bytes would be a second token.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var letters = Array(text.utf8)
        for (place, letter) in letters.enumerated() {
            switch letter {
            case minus: letters[place] = plus
            case underscore: letters[place] = slash
            case plus, slash, padding: return nil
            default: break
            }
        }
        letters.append(contentsOf: repeatElement(padding, count: (4 - letters.count % 4) % 4))
        // `Base64Text` is strict: it rejects misplaced padding and set bits after the last byte.
        return try? Base64Text(String(decoding: letters, as: UTF8.self)).bytes
    }

    private static let (plus, slash) = (UInt8(ascii: "+"), UInt8(ascii: "/"))
    private static let (minus, underscore) = (UInt8(ascii: "-"), UInt8(ascii: "_"))
    private static let padding = UInt8(ascii: "=")
}
