import PayrelayPrimitives

/// Rows with aligned columns, two spaces apart.
package struct TextTable {
    private var rows: [[String]] = []
    private let indentation: Int
    /// The minimum width of each column in characters.
    private let widths: [Int]

    /// - Parameters:
    ///   - indentation: the number of spaces before each row.
    ///   - widths: the minimum width of each column. Further columns are as wide as their widest cell.
    package init(indentation: Int = 0, widths: [Int] = []) {
        self.indentation = indentation
        self.widths = widths
    }

    package init(_ rows: [[String]]) {
        self.init()
        for row in rows { add(row) }
    }

    package mutating func add(_ cells: [String]) { rows.append(cells.map(\.terminalText)) }

    package mutating func add(_ cells: String...) { add(cells) }

    /// The rows as lines. The last cell of a row does not affect the width of its column, and no spaces follow
    /// it.
    package var lines: [String] {
        var widths = widths
        for row in rows {
            for (place, cell) in row.dropLast().enumerated() {
                if place == widths.count { widths.append(0) }
                widths[place] = max(widths[place], cell.count)
            }
        }
        return rows.map { Self.line($0, widths: widths, indentation: indentation) }
    }

    /// Returns a row of a table whose other rows are not known yet.
    package static func line(_ cells: [String], widths: [Int], indentation: Int = 0) -> String {
        var line = String(repeating: " ", count: indentation)
        for (place, cell) in cells.enumerated() {
            line += cell
            guard place < cells.count - 1 else { break }
            line += String(repeating: " ", count: max(0, (place < widths.count ? widths[place] : 0) - cell.count) + 2)
        }
        return String(line.dropping(last: " "))
    }
}

/// Prints rows with aligned columns.
package func say(table: [[String]]) { say(TextTable(table)) }

package func say(_ table: TextTable) { for line in table.lines { say(line) } }
