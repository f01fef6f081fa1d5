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

    /// A text as a cell that a spreadsheet leaves as it is: an apostrophe stands before it where another number, a day or a time would be
    /// read out of it. `00008` would become 8, `12E45` a power of ten, `1-2` a day, and 12 digits would be shown as 1.23457E+11.
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
