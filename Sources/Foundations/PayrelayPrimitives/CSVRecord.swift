/// A record of CSV (RFC 4180): UTF-8, comma. What a spreadsheet would take for a formula has an apostrophe before it, which makes it
/// text: also behind a semicolon, at which some spreadsheets begin another cell, whatever quotes stand around it.
package enum CSVRecord {
    /// The record without its line's end.
    ///
    /// - Parameter fields: nil is an empty one.
    package static func text(_ fields: [String?]) -> String {
        fields.map { field in
            guard let field else { return "" }
            let text = withoutFormulas(field)
            let needsQuotes = text.utf8.contains { $0 < 0x20 || ",;\"".utf8.contains($0) }
            return needsQuotes ? "\"" + text.replacingEach("\"", with: "\"\"") + "\"" : text
        }.joined(separator: ",")
    }

    private static func withoutFormulas(_ field: String) -> String {
        guard field.unicodeScalars.contains(where: beginsFormula.contains) else { return field }
        var text = String.UnicodeScalarView()
        var isBeginning = true
        for scalar in field.unicodeScalars {
            if isBeginning, beginsFormula.contains(scalar) { text.append("'") }
            text.append(scalar)
            // The quotes around the field mean nothing to a reader that has begun a cell within it.
            isBeginning = [";", "\n", "\r"].contains(scalar) || (isBeginning && scalar == "\"")
        }
        return String(text)
    }

    /// The last four are the full-width forms of the first, which some spreadsheets take for the same.
    private static let beginsFormula: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
    ]
}
