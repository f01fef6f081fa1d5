import Foundation

/// The mobile SDK guide as the text of its pages. Columns run into lines: a name and a type may be broken anywhere, and a row
/// may continue on the next page.
enum GuidePages {
    static func fields(from start: String, to end: String) throws -> [DocumentedField] {
        let lines = try SharedDocuments.text(SharedDocuments.guidePages).components(separatedBy: "\n")
        // A heading may follow the end of a page, and then begins with a space.
        func isHeading(_ line: String, _ heading: String) -> Bool {
            line.trimmingCharacters(in: .whitespaces).hasPrefix(heading)
        }
        let section = lines.drop { !isHeading($0, start) }.dropFirst().prefix { !isHeading($0, end) }
            .prefix { !$0.contains("NOTE!") }
            .filter { !$0.hasPrefix("http") && !$0.hasPrefix("mailto:") }
            .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
        let heads = section.matches(
            of: /\b([a-z][a-z0-9_]*)(?:\n([a-z0-9]+))?\s+(Alphanu\s*meric|Alpha|Numeric)\b(?:\s+(Yes|No)\b)?/)
        return heads.enumerated().map { index, head in
            let next = index + 1 < heads.count ? heads[index + 1].range.lowerBound : section.endIndex
            let rest = columns(after: String(section[head.range.upperBound..<next]))
            return DocumentedField(
                name: "\(head.1)\(head.2 ?? "")", type: head.3.filter { !$0.isWhitespace }.lowercased(),
                isMandatory: head.4.map { $0 == "Yes" }, maximumLength: rest.length, characters: rest.characters,
                values: rest.values, conditions: rest.conditions, example: nil)
        }
    }

    /// Returns the columns after a description. The length is the first number by itself that is not followed by "digits". The
    /// other columns follow it.
    private static func columns(
        after description: String
    ) -> (length: Int?, characters: Set<Character>, values: [String], conditions: [String: String]) {
        let numbers = description.matches(of: /(?:^|\s)(\d+)(?=\s|$)(?!\s+digits)/)
        guard let length = numbers.first else { return (nil, [], [], [:]) }
        let columns = String(description[length.range.upperBound...])
        let lines = columns.split(separator: "\n")
        var values: [String] = []
        var signs: [Substring] = []
        for line in lines {
            let words = line.split(separator: " ")
            if words.count == 1 { signs.append(words[0]) }
            if words.count > 1, words[0] == "-", words[1].allSatisfy(\.isLetter) { values.append(String(words[1])) }
        }
        // A single value has no hyphen.
        if values.isEmpty { values = columns.matches(of: /\b[A-Z][A-Z_]{4,}\b/).map { String($0.output) } }
        return (
            Int(length.1), Columns.characters(signs.filter { $0.count == 1 || $0 == "Space" }), values,
            Columns.conditions(of: values, in: columns)
        )
    }
}
