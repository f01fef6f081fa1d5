/// A CSV record (RFC 4180) in UTF-8, with commas. A text that a spreadsheet would take for a formula gets an
/// apostrophe in front, which makes it a text. This is also done after a semicolon, because some spreadsheets
/// begin a new cell there, even within quotes.
package enum CSVRecord {
    /// Returns the record without its line break.
    ///
    /// - Parameter fields: the fields; `nil` is an empty field.
    package static func text(_ fields: [String?]) -> String {
        fields.map { field in
            guard let field else { return "" }
            let text = withoutFormulas(field)
            let needsQuotes = text.utf8.contains { $0 < 0x20 || ",;\"".utf8.contains($0) }
            return needsQuotes ? "\"" + text.replacingEach("\"", with: "\"\"") + "\"" : text
        }.joined(separator: ",")
    }

    /// Returns a text for a cell that a spreadsheet must not change. If the spreadsheet would read it as another
    /// number, a date or a time, an apostrophe is put in front. For example, `00008` would become 8, `12E45` a
    /// power of ten, `1-2` a date, and 12 digits would be shown as 1.23457E+11.
    package static func literal(_ text: String) -> String {
        let bytes = text.utf8
        let isDigits = bytes.allSatisfy(\.isASCIIDigit)
        let isShownAsItIs = isDigits && bytes.count < 12 && (bytes.first != UInt8(ascii: "0") || bytes.count == 1)
        let isRead =
            (1...3).contains(bytes.split { !$0.isASCIIDigit }.count)
            && bytes.allSatisfy { $0.isASCIIDigit || "+-.,:/eE".utf8.contains($0) }
        return isRead && !isShownAsItIs ? "'" + text : text
    }

    private static func withoutFormulas(_ field: String) -> String {
        guard field.unicodeScalars.contains(where: beginsFormula.contains) else { return field }
        var text = String.UnicodeScalarView()
        var isBeginning = true
        for scalar in field.unicodeScalars {
            if isBeginning, beginsFormula.contains(scalar) { text.append("'") }
            text.append(scalar)
            // The quotes around the field have no meaning to a reader that has begun a new cell within it.
            isBeginning = [";", "\n", "\r"].contains(scalar) || (isBeginning && scalar == "\"")
        }
        return String(text)
    }

    /// The last four are full-width forms, which some spreadsheets treat like the ASCII characters.
    private static let beginsFormula: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
    ]
}
