import Foundation

/// The page "iOS SDK Operations". Each parameter has a heading `name(type, mandatory)`, followed by the names of its columns
/// and the columns in one text.
enum OperationsPage {
    static func fields(from start: String, to end: String?) throws -> [DocumentedField] {
        let lines = try SharedDocuments.text(SharedDocuments.operationsPage).components(separatedBy: "\n")
        let section = Array(lines.drop { $0 != start }.dropFirst().prefix { $0 != end })
        let heading = /(\w+)\((\w+)(?:, (mandatory|optional))?\)/
        let starts = try section.indices.filter { try heading.wholeMatch(in: section[$0]) != nil }
        var fields: [DocumentedField] = []
        for (number, start) in starts.enumerated() {
            guard let head = try heading.wholeMatch(in: section[start]) else { continue }
            let next = number + 1 < starts.count ? starts[number + 1] : section.endIndex
            let body = section[(start + 1)..<next].filter { !$0.isEmpty }
            let text = body.dropFirst().joined(separator: "\n")
            let words = text.split(whereSeparator: \.isWhitespace)
            let hasValues = body.first?.lowercased().contains("expected values") == true
            let values = hasValues ? Self.values(text) : []
            let field = DocumentedField(
                name: String(head.1), type: head.2.lowercased(), isMandatory: head.3.map { $0 == "mandatory" },
                maximumLength: words.first.flatMap { Int($0) }, characters: hasValues ? [] : signs(words),
                values: values,
                conditions: Columns.conditions(of: values, in: text), example: nil)
            // One parameter occurs twice.
            if !fields.contains(where: { $0.name == field.name }) { fields.append(field) }
        }
        return fields
    }

    /// Returns the signs at the beginning of a list of words.
    private static func signs(_ words: [Substring]) -> Set<Character> {
        func isSigns(_ word: Substring) -> Bool {
            let signs = word.hasSuffix("Space") ? word.dropLast("Space".count) : word
            return signs.allSatisfy(Columns.isSign)
        }
        return Columns.characters(words.drop { !isSigns($0) }.prefix(while: isSigns))
    }

    /// Returns the values of a list with hyphens, or of the text after the length: `AUTHORIZATION, PURCHASE` or `en/ar`.
    private static func values(_ text: String) -> [String] {
        let listed = text.matches(of: /(?:^|\n|\d)\s*- ?([A-Za-z]+)/).map { String($0.1) }
        guard listed.isEmpty else { return listed }
        guard let row = text.firstMatch(of: #/^\d+ (\w+(?:(?:, |/)\w+)+) /#) else { return [] }
        return row.1.split { ", /".contains($0) }.map(String.init)
    }
}
