import PaymentRelay
import PayrelayPrimitives

/// A copy of a journal into another database, or the continuation of one that was interrupted.
///
/// The target's rows show how far the copy is. Each page of a table is written in one transaction, in the order of
/// the primary key, so that the copy continues after the target's last key. Until everything was compared, the
/// target's version is negative, and nothing opens the target as a journal.
public struct JournalCopy {
    private let source: any TableSession
    private let target: any TableSession
    private let tables: [JournalTable]
    private let progress: (JournalProgress, Phase) -> Void

    public enum Phase: Sendable { case copying, comparing }

    /// - Parameters:
    ///   - source, target: sessions on databases to which nothing else writes; ``run()`` detects other writes.
    ///   - progress: called after each page.
    public init(
        from source: any TableSession, to target: any TableSession, tables: [JournalTable] = Schema.tables,
        progress: @escaping (JournalProgress, Phase) -> Void = { _, _ in }
    ) {
        self.source = source
        self.target = target
        self.tables = tables
        self.progress = progress
    }

    /// Copies the rows that the target does not have yet, and compares both databases. A target that already equals
    /// the source is left as it is.
    ///
    /// - Returns: the contents of both databases.
    /// - Throws: ``JournalCopyError``, ``UnreadableRow``, and the databases' own errors. The copy may be run again.
    @discardableResult public func run() throws -> JournalContents {
        let occupied = try begin()
        let all = try JournalContents.countRows(of: source, tables)
        if let occupied {
            // An earlier copy may have ended after its last statement and before it reported its end.
            do { return try compare(all: all) } catch JournalCopyError.different {
                throw JournalCopyError.targetNotEmpty(table: occupied)
            }
        }
        var done = try JournalContents.countRows(of: target, tables)
        for table in tables {
            var reader = TableReader(table, of: source, after: try TableReader.lastKey(of: table, in: target))
            while case let page = try reader.next(), !page.isEmpty {
                try write(page.map(\.values), to: table)
                done += page.count
                progress(JournalProgress(table: table.name, done: done, all: all), .copying)
                FailPoint.copying.reach()
            }
        }
        let contents = try compare(all: all)
        _ = try target.run(script: Self.setVersion(Schema.versions.count))
        return contents
    }

    /// Prepares the target: checks the versions and creates the tables, unless an unfinished copy is continued.
    ///
    /// - Returns: the name of a table of the target that already has rows; `nil` if the target is empty or has an
    ///   unfinished copy.
    private func begin() throws -> String? {
        let version = Schema.versions.count
        guard try Schema.version(source) == version else { throw JournalCopyError.sourceVersion }
        guard try Schema.existingVersion(target) != -version else { return nil }
        try Schema.migrate(target, in: target.dialect)
        for table in tables where try !target.answer(to: "SELECT 1 AS one FROM \(table.name) LIMIT 1").rows.isEmpty {
            return table.name
        }
        _ = try target.run(script: Self.setVersion(-version))
        return nil
    }

    private static func setVersion(_ version: Int) -> String {
        "UPDATE schema_version SET version = \(version) WHERE one = 1"
    }

    /// Writes rows with one statement, which is one transaction.
    private func write(_ rows: [[Value]], to table: JournalTable) throws {
        let width = table.columns.count
        let places = rows.indices.map { row in
            "(" + (1...width).map { "$\(row * width + $0)" }.joined(separator: ", ") + ")"
        }.joined(separator: ", ")
        let answer = try target.answer(
            to: "INSERT INTO \(table.name) (\(table.columnList)) VALUES \(places)", rows.flatMap { $0 })
        guard answer.count == rows.count else { throw JournalCopyError.notWritten(table: table.name) }
    }

    /// Reads both databases and compares them row by row.
    private func compare(all: Int) throws -> JournalContents {
        var (left, right) = (ContentsReading(), ContentsReading())
        for table in tables {
            left.begin(table)
            right.begin(table)
            var (theirs, ours) = (TableReader(table, of: source), TableReader(table, of: target))
            while true {
                let (pageThere, pageHere) = (try theirs.next(), try ours.next())
                if let difference = table.difference(pageThere, pageHere) { throw difference }
                if pageThere.isEmpty { break }
                for (row, values) in pageThere { left.add(row, values) }
                for (row, values) in pageHere { right.add(row, values) }
                progress(JournalProgress(table: table.name, done: left.count, all: all), .comparing)
            }
        }
        guard left.contents == right.contents else {
            throw JournalCopyError.different(table: "", key: "", how: "the digests differ")
        }
        if let recorded = try source.recordedDigest(), recorded != left.contents.digest {
            throw JournalCopyError.notAsBackedUp
        }
        return left.contents
    }
}

/// Why a journal was not copied.
public enum JournalCopyError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The source's tables are of another version, or the source is the target of an unfinished copy.
    case sourceVersion
    case targetNotEmpty(table: String)
    /// The target did not accept all rows of a page.
    case notWritten(table: String)
    case different(table: String, key: String, how: String)
    /// The source is a backup, and its rows are not the rows that it had when it was made.
    case notAsBackedUp

    public var description: String {
        switch self {
        case .sourceVersion:
            "the source is not a journal of this version: start this payrelay on it once, or finish the copy into it"
        case .targetNotEmpty(let table): "the target is not empty: it has rows in \(table)"
        case .notWritten(let table): "the target did not take the rows of \(table)"
        case .different(let table, let key, let how):
            "source and target differ in \(table), \(key): \(how). Something wrote to one of them. Empty the target, and copy again"
        case .notAsBackedUp:
            "the rows of the backup are not those that it had when it was made: see payrelay journal verify, and take another one"
        }
    }
}

extension JournalTable {
    /// Returns the first difference between two pages.
    fileprivate func difference(
        _ source: [(row: Row, values: [Value])], _ target: [(row: Row, values: [Value])]
    ) -> JournalCopyError? {
        for place in 0..<max(source.count, target.count) {
            guard source.indices.contains(place) else { return only("target", target[place].row) }
            guard target.indices.contains(place) else { return only("source", source[place].row) }
            let (there, here) = (source[place].values, target[place].values)
            guard let column = columns.indices.first(where: { there[$0] != here[$0] }) else { continue }
            guard let first = key.first(where: { there[$0] != here[$0] }) else {
                return .different(
                    table: name, key: keyText(of: source[place].row), how: "\(columns[column].name) is another")
            }
            return there[first].precedes(here[first])
                ? only("source", source[place].row) : only("target", target[place].row)
        }
        return nil
    }

    private func only(_ place: String, _ row: Row) -> JournalCopyError {
        .different(table: name, key: keyText(of: row), how: "only the \(place) has this row")
    }
}

extension Value {
    /// Whether the value comes before another one of its type in the order of a primary key.
    fileprivate func precedes(_ other: Value) -> Bool {
        switch (self, other) {
        case (.integer(let left?), .integer(let right?)): left < right
        case (.text(let left?), .text(let right?)): left.utf8.lexicographicallyPrecedes(right.utf8)
        case (.bytes(let left?), .bytes(let right?)): left.lexicographicallyPrecedes(right)
        default: false
        }
    }
}
