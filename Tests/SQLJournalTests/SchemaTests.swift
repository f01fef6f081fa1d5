import JournalContract
import SQLiteDriver
import TestPrograms
import Testing

@testable import SQLJournal

@Suite struct SchemaTests {
    private let connection: SQLiteConnection

    init() throws {
        connection = try SQLiteConnection(path: ":memory:")
    }

    private static let next = """
        ALTER TABLE payment ADD COLUMN colour text;
        UPDATE payment SET colour = 'red';
        """

    @Test func bringsTablesToTheNextVersionOnce() throws {
        try Schema.migrate(connection, in: .sqlite)
        try connection.run(
            "INSERT INTO hint VALUES ($1, 'a', 't', 'k', 0, 1, 0, 1, 1)", [.text("kept")])
        for _ in 1...2 {
            try Schema.migrate(connection, in: .sqlite, to: Schema.versions + [Self.next])
            #expect(try Schema.version(connection) == 2)
        }
        #expect(try connection.run("SELECT merchant_reference FROM hint", []).rows.map(\.reference) == ["kept"])
        #expect(try connection.run("SELECT colour FROM payment", []).rows.isEmpty)
    }

    @Test func refusesANewerVersion() throws {
        try Schema.migrate(connection, in: .sqlite, to: Schema.versions + [Self.next])
        #expect(throws: NewerSchema(version: 2, known: 1)) { try Schema.migrate(connection, in: .sqlite) }
        #expect(try Schema.version(connection) == 2)
    }

    @Test func leavesTablesAsTheyWereWhereAVersionFails() throws {
        try Schema.migrate(connection, in: .sqlite)
        #expect(throws: (any Error).self) {
            try Schema.migrate(connection, in: .sqlite, to: Schema.versions + [Self.next + "; INSERT INTO absent VALUES (1)"])
        }
        #expect(try Schema.version(connection) == 1)
        #expect(throws: (any Error).self) { try connection.run("SELECT colour FROM payment", []) }
        try Schema.migrate(connection, in: .sqlite)
    }

    @Test func explainsEveryColumn() throws {
        // A column stands alone on its line; above it, or above the line before it, stands what it is.
        let lines = Schema.versions[0].split(separator: "\n").map { $0.drop { $0 == " " } }
        var explained = false
        var unexplained: [String] = []
        for line in lines {
            if line.hasPrefix("--") { explained = true }
            if line.hasPrefix("CREATE TABLE") { explained = false }
            let isColumn = line.contains(" bigint") || line.contains(" text") || line.contains(" bytea")
            guard isColumn, !line.hasPrefix("--"), !line.hasPrefix("CREATE") else { continue }
            let name = String(line.prefix { $0 != " " })
            let isObvious = ["merchant_reference", "at", "amount", "currency", "since", "account"].contains(name)
            if !explained, !isObvious { unexplained.append(name) }
        }
        #expect(unexplained == [])
    }
}
