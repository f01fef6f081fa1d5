import Foundation

/// Portmone's page "Masterpass iOS SDK" as text, if it lies beside the project; without it, the tests that need it are skipped.
/// Its tables have no column separators: a row is a field's name, type and description, run together.
enum PublishedPage {
    private static let file: URL? = {
        let path = "shared/reference/seeds/004_4887990c39cfbaf3.txt"
        var folder = URL(filePath: #filePath)
        while folder.pathComponents.count > 1 {
            folder.deleteLastPathComponent()
            let file = folder.appending(path: path)
            if FileManager.default.fileExists(atPath: file.path) { return file }
        }
        return nil
    }()

    static let isThere = file != nil

    static func lines() throws -> [String] {
        guard let file else { return [] }
        return try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    }

    /// Returns the rows of each table under a heading such as `Payee object`. A heading that occurs in two chapters has two
    /// tables.
    static func tables(under heading: String) throws -> [[String]] {
        let lines = try lines()
        return lines.indices.filter { lines[$0] == heading }.map { start in
            let head = lines[start...].firstIndex { $0.hasPrefix("FieldType") } ?? start
            let hasNullability = lines[head].hasSuffix("Nullability")
            var rows: [String] = []
            var row = ""
            for line in lines[(head + 1)...].prefix(while: { !$0.isEmpty }) {
                row += line
                guard !hasNullability || line.hasSuffix("required") || line.hasSuffix("optional") else { continue }
                rows.append(row)
                row = ""
            }
            return rows
        }
    }

    /// Returns every declaration that begins with one of `beginnings`, each on one line, with one space between words.
    static func declarations(_ beginnings: [String]) throws -> Set<String> {
        let lines = try lines()
        return Set(
            lines.indices.filter { place in beginnings.contains { lines[place].hasPrefix($0) } }.map { place in
                let text = lines[place...].prefix { !$0.isEmpty }.joined(separator: " ")
                return LibrarySource.normalized(text)
            })
    }

    /// Returns the codes of section 8 with their texts.
    static func errors() throws -> [Int: String] {
        var errors: [Int: String] = [:]
        for line in try lines() {
            guard let row = line.wholeMatch(of: /(2\d\d\d)(\*?)(\D.*|3D .*)/), let code = Int(row.1) else { continue }
            errors[code] = String(row.3).replacing(/\.(?=[A-Z])/, with: ". ")
        }
        return errors
    }

    /// Returns the lines of the samples that use the SDK, without the additions of Interface Builder and of the typesetting.
    static func sampleLines() throws -> [String] {
        let use =
            #/
            (Mfs(Card|TextField)\b.*[()!:])|Service\(\)|\.(setType|maxLength|placeholder|keyboardType|clear|cardName|expire)
            |^\s*(card|payee)?[sS]ervice\.|\(error\ as\ NSError|case\ 211|webView:\ PortmoneWebView\?
            /#
        return try lines().filter { $0.firstMatch(of: use) != nil && !$0.contains("Description") }
            .map {
                $0.trimmingCharacters(in: .whitespaces).replacing("@IBOutlet ", with: "")
                    .replacing(/[“”]/, with: "\"")
            }
            .filter { $0.contains(/[=({:]/) && !$0.hasPrefix("func ") && !$0.hasPrefix("public ") }
    }
}
