import Foundation

/// The page "Apple Pay API". Each parameter is a line: `name String Max: 20 Required … Values: A , B Example. … |`.
enum ApplePayPage {
    /// - Parameter number: The table's number in the order of the page, from 0.
    static func fields(ofTable number: Int) throws -> [DocumentedField] {
        let lines = try SharedDocuments.applePayText().components(separatedBy: "\n")
        let starts = lines.indices.filter { lines[$0] == "Request Parameters" || lines[$0] == "Response Parameters" }
        guard starts.indices.contains(number) else { return [] }
        let end = starts.indices.contains(number + 1) ? starts[number + 1] : lines.endIndex
        let row = /(\w+) (String|Integer|Object) (?:Max: (\d+) )?(?:(Required|Optional) )?(.*) \|/
        return try lines[starts[number]..<end].compactMap { line in
            guard let row = try row.wholeMatch(in: line) else { return nil }
            let parts = String(row.5).components(separatedBy: " Example. ")
            // One row has the text "Supported values: en (English) or ar (Arabic)."
            let list = parts[0].replacing(/Supported values: (\w+) \(\w+\) or (\w+) .*/) { "Values: \($0.1), \($0.2)" }
            let values = try /\bValues?: (.*)/.firstMatch(in: list).map { String($0.1) }
            return DocumentedField(
                name: String(row.1), type: row.2.lowercased(), isMandatory: row.4.map { $0 == "Required" },
                maximumLength: row.3.flatMap { Int($0) }, characters: characters(in: parts[0]),
                values: values?.components(separatedBy: ", ").map { $0.trimmingCharacters(in: .whitespaces) } ?? [],
                conditions: [:], example: parts.count == 2 ? parts[1] : nil)
        }
    }

    /// Reads a text such as `Alphanumeric characters, hyphens, underscores, and periods allowed.`
    private static func characters(in description: String) -> Set<Character> {
        guard let sentence = description.firstMatch(of: /Alphanumeric characters,(.*?)allowed/)?.1 else { return [] }
        let words: [(String, Character)] = [("hyphens", "-"), ("underscores", "_"), ("periods", ".")]
        return Set(words.filter { sentence.contains($0.0) }.map(\.1))
    }
}
