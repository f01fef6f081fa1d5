import PayrelayPrimitives

/// Rows whose columns stand below each other, two spaces apart. What a cell holds cannot steer a terminal.
package struct TextTable {
    private var rows: [[String]] = []
    private let indentation: Int
    /// At least so many characters for each column.
    private let widths: [Int]

    /// - Parameters:
    ///   - indentation: spaces before each row.
    ///   - widths: the least width of each column; columns beyond them are as wide as their widest cell.
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

    /// The rows as lines. The last cell of a row counts for no width and has no spaces behind it.
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

    /// Returns one row of a table whose other rows are not known yet.
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

/// Prints rows with their columns below each other.
package func say(table: [[String]]) { say(TextTable(table)) }

package func say(_ table: TextTable) { for line in table.lines { say(line) } }
