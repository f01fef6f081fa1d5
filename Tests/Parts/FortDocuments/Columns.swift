import Foundation

/// A parser for the parts that several of the documents write in the same way.
enum Columns {
    /// Returns the signs in a list of words of one sign each, and `Space`: `- _ .`. A hyphen before a word is not a sign: it
    /// starts a value.
    static func characters(_ words: some Sequence<Substring>) -> Set<Character> {
        var characters: Set<Character> = []
        for word in words {
            var signs = word
            if signs.hasSuffix("Space") {
                characters.insert(" ")
                signs = signs.dropLast("Space".count)
            }
            if signs.allSatisfy(isSign) { characters.formUnion(signs) }
        }
        return characters
    }

    static func isSign(_ character: Character) -> Bool {
        character.isASCII && !character.isLetter && !character.isNumber && !character.isWhitespace
    }

    /// Returns the values of a list with hyphens before them: `- en - ar`, `-YES`.
    static func listed(_ text: String) -> [String] {
        text.matches(of: /(?:^|\s)-\s?([A-Za-z]+)/).map { String($0.1) }
    }

    /// Returns the text in brackets after each of these values.
    static func conditions(of values: [String], in text: String) -> [String: String] {
        let text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return values.reduce(into: [:]) { conditions, value in
            guard let place = text.range(of: "- \(value)") else { return }
            let rest = text[place.upperBound...].drop(while: \.isWhitespace)
            if rest.first == "(" { conditions[value] = String(rest.dropFirst().prefix { $0 != ")" }) }
        }
    }
}
