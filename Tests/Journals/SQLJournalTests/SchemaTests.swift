import JournalContract
import PaymentRelay
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

    @Test("R5: tables are brought to the next version once, with the payments in them")
    func bringsTablesToTheNextVersionOnce()
        throws
    {
        try Schema.migrate(connection, in: .sqlite)
        try connection.run(script: Self.payment)
        for _ in 1...2 {
            try Schema.migrate(connection, in: .sqlite, to: Schema.versions + [Self.next])
            #expect(try Schema.version(connection) == Schema.versions.count + 1)
        }
        let colours = try connection.run("SELECT colour FROM payment", []).rows
        #expect(try colours.map { try $0.text("colour") } == ["red"])
        let page = ChangeFeed(ChangeQuery(), bound: 10).page(downTo: nil)
        let rows = try connection.run(Dialect.sqlite.written(page.statement.first), page.values).rows
        #expect(rows.map(\.reference) == ["Order-1"])
    }

    @Test("R5: the columns of the next version are copied, compared and digested") func readsTheTablesOfTheNextVersion()
        throws
    {
        let (now, next) = (Schema.tables, Schema.tables(of: Schema.versions + [Self.next]))
        let (columns, more) = (try #require(now.first).columns, try #require(next.first).columns)
        #expect(more.dropLast() == columns[...] && more.last?.name == "colour" && more.last?.kind == .text)
    }

    static let payment = """
        INSERT INTO payment (merchant_reference, state, command, amount, currency, claimed_at, gateway, captured, refunded,
            card_last_four, holds_customer_data, version)
        VALUES ('Order-1', 'captured', 'PURCHASE', 100, 'AED', 1, 'fort', 100, 0, '0492', 1, 1);
        INSERT INTO history (merchant_reference, number, at, state, captured, refunded, kind, times)
        VALUES ('Order-1', 1, 1, 'captured', 100, 0, 'charge', 1)
        """

    @Test func refusesANewerVersion() throws {
        try Schema.migrate(connection, in: .sqlite, to: Schema.versions + [Self.next])
        let known = Schema.versions.count
        #expect(throws: NewerSchema(version: known + 1, known: known)) { try Schema.migrate(connection, in: .sqlite) }
        #expect(try Schema.version(connection) == known + 1)
    }

    @Test(
        "A journal of a build that was not released is refused with a sentence that says so",
        arguments: [
            "ALTER TABLE history DROP COLUMN kind", "ALTER TABLE history ADD COLUMN other text", "DROP TABLE instance",
        ])
    func refusesTablesOfAnUnreleasedBuild(change: String) throws {
        try Schema.migrate(connection, in: .sqlite)
        try connection.run(script: "DROP INDEX history_by_kind; \(change)")
        #expect(throws: UnreleasedSchema()) { try Schema.migrate(connection, in: .sqlite) }
        #expect("\(UnreleasedSchema())".contains("not released: begin a new journal"))
    }

    @Test func aFailedVersionLeavesTheTablesUnchanged() throws {
        try Schema.migrate(connection, in: .sqlite)
        #expect(throws: (any Error).self) {
            try Schema.migrate(
                connection, in: .sqlite, to: Schema.versions + [Self.next + "; INSERT INTO absent VALUES (1)"])
        }
        #expect(try Schema.version(connection) == Schema.versions.count)
        #expect(throws: (any Error).self) { try connection.run("SELECT colour FROM payment", []) }
        try Schema.migrate(connection, in: .sqlite)
    }

    @Test func explainsEveryColumn() throws {
        // Each column has a line to itself. The comment is above that line, or above the line before it.
        let lines = Schema.versions.joined(separator: "\n").split(separator: "\n").map { $0.drop { $0 == " " } }
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
