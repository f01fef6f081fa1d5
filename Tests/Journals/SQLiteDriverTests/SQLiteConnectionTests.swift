import SQLJournal
import Testing

@testable import SQLiteDriver

@Suite struct SQLiteConnectionTests {
    private let connection: SQLiteConnection

    init() throws {
        connection = try SQLiteConnection(path: ":memory:")
        try connection.run(
            script: "CREATE TABLE value (number INTEGER PRIMARY KEY, text TEXT UNIQUE, bytes BLOB NOT NULL) STRICT")
    }

    private static let insert = "INSERT INTO value VALUES ($1, $2, $3) ON CONFLICT (text) DO NOTHING"

    private func count() throws -> Int {
        try #require(try connection.run("SELECT count(*) AS count FROM value", []).rows.first).integer("count")
    }

    @Test(
        arguments: ["", "a", "'; DROP TABLE value; --", String(repeating: "é🙂", count: 200_000), nil],
        [0, 1, 4_096, 1_500_000])
    func keepsTextAndBytesOfAnyLength(text: String?, length: Int) throws {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
        #expect(try connection.run(Self.insert, [.integer(.min), .text(text), .bytes(bytes)]).count == 1)
        let row = try #require(try connection.run("SELECT * FROM value", []).rows.first)
        #expect(try row.integer("number") == .min)
        #expect(try row.optionalText("text") == text)
        #expect(try row.bytes("bytes") == bytes)
    }

    @Test("S6: a column of another kind than requested is unreadable, and is not converted")
    func readsColumnsByTheirKind() throws {
        try connection.run(script: "CREATE TABLE any (value)")
        for value in [Value.integer(7), .text("7"), .bytes([7]), .bytes([]), .text(nil)] {
            try connection.run("INSERT INTO any VALUES ($1)", [value])
        }
        try connection.run(script: "INSERT INTO any VALUES (1.5); INSERT INTO any VALUES (CAST(x'ff' AS TEXT))")
        let found = try connection.run("SELECT value FROM any ORDER BY rowid", []).rows.map { $0["value"] }
        #expect(found == [.integer(7), .text("7"), .bytes([7]), .bytes([]), .null, .other, .other])
        let row = Row(names: ["value"], columns: [.text("7")])
        #expect(throws: (any Error).self) { try row.integer("value") }
        #expect(throws: (any Error).self) { try row.bytes("value") }
        #expect(throws: (any Error).self) { try row.text("absent") }
    }

    @Test func returnsHowManyRowsChanged() throws {
        #expect(try connection.run(Self.insert, [.integer(1), .text("a"), .bytes([1])]).count == 1)
        #expect(try connection.run(Self.insert, [.integer(2), .text("a"), .bytes([2])]).count == 0)
        #expect(try connection.run(Self.insert, [.integer(3), .text("b"), .bytes([3])]).count == 1)
        #expect(try connection.run("UPDATE value SET bytes = $1", [.bytes([4])]).count == 2)
    }

    @Test func takesItsValuesByNumberHoweverOftenAndInWhateverOrder() throws {
        let row = try #require(
            try connection.run("SELECT $2 AS b, $1 AS a, $2 AS c", [.integer(1), .text("x")]).rows.first)
        #expect(row["a"] == .integer(1) && row["b"] == .text("x") && row["c"] == .text("x"))
    }

    @Test func refusesTextWithNUL() throws {
        let statement = try connection.prepare(Self.insert)
        for text in ["\0", "a\0b", "a\0", String(repeating: "a", count: 5_000) + "\0"] {
            let error = #expect(throws: SQLiteError.self) {
                try statement.run([.integer(1), .text(text), .bytes([1])])
            }
            #expect(error?.message == "text with the character NUL")
        }
        #expect(try count() == 0)
        #expect(try statement.run([.integer(1), .text("a"), .bytes([1])]).count == 1)
    }

    @Test func doesNotRunWithTheValuesOfTheRunBefore() throws {
        let statement = try connection.prepare(Self.insert)
        _ = try statement.run([.integer(1), .text("a"), .bytes([1])])
        #expect(throws: SQLiteError.self) { try statement.run([.integer(2)]) }
        #expect(throws: SQLiteError.self) { try statement.run([]) }
        #expect(throws: SQLiteError.self) { try connection.prepare("INSERT INTO value VALUES (?, ?, ?)") }
        #expect(try count() == 1)
    }

    @Test func runsAgainAfterItFailed() throws {
        let statement = try connection.prepare(Self.insert)
        _ = try statement.run([.integer(1), .text("a"), .bytes([1])])
        for _ in 1...2 {
            let taken = #expect(throws: SQLiteError.self) {
                try statement.run([.integer(1), .text("b"), .bytes([1])])
            }
            #expect(taken?.isNotUnique == true)
            #expect(taken?.description.contains("UNIQUE constraint failed: value.number") == true)
            let missing = #expect(throws: SQLiteError.self) {
                try statement.run([.integer(2), .text("b"), .bytes(nil)])
            }
            #expect(missing?.isNotUnique == false)
        }
        #expect(try statement.run([.integer(2), .text("b"), .bytes([1])]).count == 1)
    }

    @Test func namesWhatIsWrongInItsText() throws {
        let error = #expect(throws: SQLiteError.self) { try connection.prepare("INSERT INTO absent VALUES ($1)") }
        #expect(error?.message == "no such table: absent")
        #expect(throws: SQLiteError.self) { try connection.prepare("-- nothing") }
    }

    @Test func followsAChangeOfTheTables() throws {
        let statement = try connection.prepare(Self.insert)
        _ = try statement.run([.integer(1), .text("a"), .bytes([1])])
        try connection.run(script: "CREATE INDEX value_by_bytes ON value (bytes)")
        #expect(try statement.run([.integer(2), .text("b"), .bytes([2])]).count == 1)
        #expect(try connection.run(script: "PRAGMA integrity_check").map { $0["integrity_check"] } == [.text("ok")])
    }
}
