/// Finds the name that was probably meant by a mistyped name of a setting or a command.
package enum NearestName {
    /// Returns a suggestion such as "; did you mean http.port?", or an empty text.
    package static func advice(for name: String, among names: [String]) -> String {
        guard name.utf8.count <= 80 else { return "" }
        if let nearest = nearest(to: name, among: names) { return "; did you mean \(nearest)?" }
        let longer = names.filter { lacksOneWord(words(name), of: words($0)) }.prefix(3)
        return longer.isEmpty ? "" : "; did you mean \(longer.joined(separator: " or "))?"
    }

    /// Returns the name that differs from a given name in only a few letters; `nil` if there is none.
    package static func nearest(to name: String, among names: [String]) -> String? {
        guard name.utf8.count <= 80 else { return nil }
        let distances = names.map { ($0, distance(Array($0.utf8), Array(name.utf8))) }
        let nearest = distances.min { ($0.1, $0.0) < ($1.1, $1.0) }
        return nearest.flatMap { $0.1 <= max(2, name.utf8.count / 4) ? $0.0 : nil }
    }

    private static func words(_ name: String) -> [Substring] { name.parts(at: "_").flatMap { $0.parts(at: ".") } }

    /// Returns whether the longer name has exactly one more word, like PAYRELAY_HTTP_PORT for PAYRELAY_PORT.
    private static func lacksOneWord(_ words: [Substring], of longer: [Substring]) -> Bool {
        guard longer.count == words.count + 1, !words.isEmpty else { return false }
        return longer.indices.contains { index in
            longer[..<index] == words[..<index] && longer[(index + 1)...] == words[index...]
        }
    }

    /// Returns a name from outside in a form that is safe for terminals and logs.
    package static func shown(_ name: String) -> String {
        var text = String.UnicodeScalarView()
        for scalar in name.unicodeScalars.prefix(80) { text.append((" "..."~").contains(scalar) ? scalar : "?") }
        return String(text) + (name.unicodeScalars.count > 80 ? "…" : "")
    }

    /// Returns the number of bytes that must be inserted, removed or replaced (Levenshtein distance).
    private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var row = Array(0...other.count)
        for (i, byte) in one.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, counterpart) in other.enumerated() {
                let replaced = diagonal + (byte == counterpart ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[other.count]
    }
}
