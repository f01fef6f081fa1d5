import Foundation

/// The mobile SDK guide with its tables as lines of cells between tabs. A row that continues on the next page has no name
/// there. The guide was read from a picture: `_` is often `-`, and `'` a comma.
enum TabularGuide {
    static func fields(of section: String) throws -> [DocumentedField] {
        let lines = try SharedDocuments.text(SharedDocuments.tabularGuide).components(separatedBy: "\n")
        // The table of contents has the same headings earlier, with dots behind them.
        guard let start = lines.lastIndex(where: { $0.hasPrefix("\(section) ") }),
            let head = lines[start...].firstIndex(where: { $0.hasPrefix("Parameter Name\t") })
        else { return [] }
        let names = lines[head].components(separatedBy: "\t")
        var rows: [[String]] = []
        for line in lines[(head + 1)...] {
            if line.hasPrefix("**NOTE") || line.firstMatch(of: #/^\d+(\.\d+)+\s/#) != nil { break }
            let cells = line.replacingOccurrences(of: #"\$"#, with: "$").components(separatedBy: "\t")
            guard cells.count == names.count, !cells[0].hasPrefix("--") else { continue }
            if cells[0].isEmpty, var row = rows.popLast() {
                for (index, cell) in cells.enumerated() where !cell.isEmpty { row[index] += " \(cell)" }
                rows.append(row)
            } else {
                rows.append(cells)
            }
        }
        return rows.map { row in
            func cell(_ name: String) -> String? { names.firstIndex(of: name).map { row[$0] } }
            let list = cell("Possible/ Expected Values") ?? ""
            var values = Columns.listed(list)
            if values.isEmpty, list.wholeMatch(of: /[A-Z_]+/) != nil { values = [list] }
            return DocumentedField(
                name: row[0], type: (cell("Type") ?? "").filter { $0 != " " }.lowercased(),
                isMandatory: cell("Mandatory").map { $0 == "Yes" }, maximumLength: cell("Length").flatMap { Int($0) },
                characters: Columns.characters((cell("Special Characters") ?? "").split(separator: " ")),
                values: values, conditions: Columns.conditions(of: values, in: list),
                example: cell("Example").flatMap { $0.isEmpty ? nil : $0 })
        }
    }
}
