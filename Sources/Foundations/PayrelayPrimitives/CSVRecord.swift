/// A record of CSV (RFC 4180): UTF-8, comma. What a spreadsheet would take for a formula has an apostrophe before it, which makes it
/// text.
package enum CSVRecord {
    /// The record without its line's end.
    ///
    /// - Parameter fields: nil is an empty one.
    package static func text(_ fields: [String?]) -> String {
        fields.map { field in
            guard var text = field, let first = text.unicodeScalars.first else { return "" }
            if beginsFormula.contains(first) { text = "'" + text }
            let needsQuotes = text.utf8.contains {
                $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 < 0x20
            }
            return needsQuotes ? "\"" + text.replacingEach("\"", with: "\"\"") + "\"" : text
        }.joined(separator: ",")
    }

    /// The last four are the full-width forms of the first, which some spreadsheets take for the same.
    private static let beginsFormula: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
    ]
}
