import FoundationEssentials
import PayrelayPrimitives

/// A signature as someone wrote it, and how its spelling differs from lower-case hex.
struct SignatureSpelling: Sendable {
    /// The signature in lower-case hex.
    let hexadecimal: String
    let mistakes: [SignatureMistake]

    /// Reads a digest of SHA-1, SHA-256 or SHA-512 in hex or base64; `nil` if the text is not one.
    init?(_ text: String) {
        if let hexadecimal = SignatureSpelling.digest(text) {
            self.hexadecimal = hexadecimal
            mistakes = text == hexadecimal ? [] : [SignatureSpelling.upperCase]
        } else if let bytes = Data(base64Encoded: text),
            let hexadecimal = SignatureSpelling.digest(HexText(encoding: bytes).text)
        {
            self.hexadecimal = hexadecimal
            mistakes = [SignatureSpelling.base64]
        } else {
            return nil
        }
    }

    private static func digest(_ text: String) -> String? {
        guard [40, 64, 128].contains(text.utf8.count),
            (try? HexText(text)) != nil
        else { return nil }
        return text.lowercasedASCII
    }

    private static let upperCase = SignatureMistake(
        "upper-case",
        "The hex digits are capital letters. APS's own SDKs disagree on this; send lower case, as most of them do.")
    private static let base64 = SignatureMistake("base64", "The signature is in base64. FORT takes lower-case hex.")
}
