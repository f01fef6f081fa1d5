import FoundationEssentials

/// base64url without padding (RFC 7515, 2; RFC 4648, 5).
enum Base64URL {
    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let text = Data(bytes).base64EncodedString()
        return String(text.prefix { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }

    /// Nil for anything but the one text that ``encode(_:)`` writes: two texts of the same bytes would be two tokens.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        guard !text.contains(where: { $0 == "+" || $0 == "/" || $0 == "=" }) else { return nil }
        let standard = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        guard let bytes = Data(base64Encoded: standard + padding), encode(bytes) == text else { return nil }
        return Array(bytes)
    }
}
