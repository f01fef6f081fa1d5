import PayrelayPrimitives

/// A table of the journal, as ``Schema`` makes it. Copies and digests use it.
public struct JournalTable: Sendable, Equatable {
    public struct Column: Sendable, Equatable {
        public enum Kind: String, Sendable {
            case text
            case bytes = "bytea"
            case integer = "bigint"
        }

        public let name: String
        public let kind: Kind
        /// Whether PostgreSQL's own index compares the column by its bytes.
        let isBytewise: Bool
    }

    public let name: String
    public internal(set) var columns: [Column]
    /// The places of the primary key's columns, in the key's order.
    public internal(set) var key: [Int]

    var columnList: String { columns.map(\.name).joined(separator: ", ") }

    /// The key in the order of both databases, which compares texts by their bytes.
    var order: [String] {
        key.map { columns[$0] }.map { $0.name + ($0.kind == .text && !$0.isBytewise ? #" COLLATE "C""# : "") }
    }
}

extension Schema {
    /// The tables whose rows make up the journal, derived from the statements that create them. So a column that is
    /// added there is copied, compared and digested. Two tables are left out: the rows of `durability_probe` have
    /// no meaning and change whenever a relay's readiness is checked, and the rows of `instance` are about
    /// processes.
    public static let tables = tables(of: versions).filter { !["durability_probe", "instance"].contains($0.name) }

    /// The table in which a backup states its contents when it was made. A relay that opens the file drops the
    /// table.
    public static let backupDigest = "backup_digest"

    static func tables(of versions: [String]) -> [JournalTable] {
        var tables: [JournalTable] = []
        var isInTable = false
        for line in versions.flatMap(\.lines) {
            let words = line.parts(at: " ").filter { !$0.isEmpty }.map(String.init)
            guard let first = words.first, first != "--" else { continue }
            if first == "CREATE" || first == "ALTER" {
                isInTable = first == "CREATE" && words[1] == "TABLE"
                if isInTable {
                    tables.append(JournalTable(name: words[words.count - 2], columns: [], key: []))
                } else if first == "ALTER", let place = tables.firstIndex(where: { $0.name == words[2] }) {
                    tables[place].add(Array(words.drop { $0 != "COLUMN" }.dropFirst()))
                }
            } else if first.utf8.first == UInt8(ascii: ")") {
                isInTable = false
            } else if isInTable, let last = tables.indices.last {
                tables[last].add(words)
            }
        }
        return tables
    }
}

extension JournalTable {
    /// Adds a line of the table's definition: a column, or the primary key.
    fileprivate mutating func add(_ line: [String]) {
        let words = line.filter { !["IF", "NOT", "EXISTS"].contains($0) }.map { word in
            String(decoding: word.utf8.filter { !"(),;".utf8.contains($0) }, as: UTF8.self)
        }
        guard words.count > 1 else { return }
        if words[0] == "PRIMARY" {
            key = words.dropFirst(2).compactMap { name in columns.firstIndex { $0.name == name } }
        } else if let kind = Column.Kind(rawValue: words[1]) {
            if words.contains(where: { $0 == "PRIMARY" }) { key = [columns.count] }
            columns.append(Column(name: words[0], kind: kind, isBytewise: words.contains(where: { $0 == "COLLATE" })))
        }
    }
}
