import Foundation
import GRDB
import Testing

@testable import SQLiteJournal

@Suite struct PreparedStatementTests {
    private let queue: DatabaseQueue

    init() throws {
        queue = try DatabaseQueue()
        try queue.write {
            try $0.execute(
                sql: "CREATE TABLE value (number INTEGER PRIMARY KEY, text TEXT UNIQUE, bytes BLOB NOT NULL) STRICT")
        }
    }

    private static let insert = "INSERT INTO value VALUES (?, ?, ?) ON CONFLICT (text) DO NOTHING"

    @Test(
        arguments: ["", "a", "'; DROP TABLE value; --", String(repeating: "é🙂", count: 200_000), nil],
        [0, 1, 4_095, 4_096, 4_097, 1_500_000])
    func keepsTextAndBytesOfAnyLength(text: String?, length: Int) throws {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
        try queue.write { database in
            let statement = try PreparedStatement(Self.insert, on: database)
            #expect(try statement.run { $0.bind(Int.min, text, bytes) } == 1)
            let row = try #require(try Row.fetchOne(database, sql: "SELECT * FROM value"))
            #expect(row["number"] == Int.min && row["text"] == text && row["bytes"] == Data(bytes))
        }
    }

    @Test("S6: a column of another kind than was asked for is nil, and is not converted")
    func readsColumnsByTheirKind() throws {
        try queue.write { database in
            try database.execute(sql: "CREATE TABLE any (value)")
            let insert = try PreparedStatement("INSERT INTO any VALUES (?)", on: database)
            try insert.run { $0.bind(7) }
            try insert.run { $0.bind("7") }
            try insert.run { $0.bind([7]) }
            try insert.run { $0.bind([UInt8]()) }
            try insert.run { $0.bind(Optional<String>.none) }
            let select = try PreparedStatement("SELECT value FROM any WHERE rowid > ? ORDER BY rowid", on: database)
            for start in 0...5 {
                var found: [String] = []
                try select.forEachRow({ $0.bind(start) }) { row in
                    found.append(
                        "\(row.integer(at: 0) as Any) \(row.text(at: 0) as Any) \(row.bytes(at: 0) as Any)"
                            .replacing("Optional", with: ""))
                }
                let all = [
                    "(7) nil nil", #"nil ("7") nil"#, "nil nil ([7])", "nil nil ([])", "nil nil nil",
                ]
                #expect(found == Array(all[start...]))
            }
            #expect(throws: DatabaseError.self) { try select.forEachRow({ _ in }) { _ in } }
        }
    }

    @Test func returnsHowManyRowsChanged() throws {
        try queue.write { database in
            let insert = try PreparedStatement(Self.insert, on: database)
            #expect(try insert.run { $0.bind(1, "a", [1]) } == 1)
            #expect(try insert.run { $0.bind(2, "a", [2]) } == 0)
            #expect(try insert.run { $0.bind(3, "b", [3]) } == 1)
            let update = try PreparedStatement("UPDATE value SET bytes = ?", on: database)
            #expect(try update.run { $0.bind([4]) } == 2)
            #expect(try Data.fetchAll(database, sql: "SELECT bytes FROM value") == [Data([4]), Data([4])])
        }
    }

    @Test func refusesTextWithNUL() throws {
        try queue.write { database in
            let statement = try PreparedStatement(Self.insert, on: database)
            for text in ["\0", "a\0b", "a\0", String(repeating: "a", count: 5_000) + "\0"] {
                let error = #expect(throws: DatabaseError.self) { try statement.run { $0.bind(1, text, [1]) } }
                #expect(error?.message == "text with the character NUL")
            }
            #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM value") == 0)
            #expect(try statement.run { $0.bind(1, "a", [1]) } == 1)
        }
    }

    @Test func doesNotRunWithTheValuesOfTheRunBefore() throws {
        try queue.write { database in
            let statement = try PreparedStatement(Self.insert, on: database)
            try statement.run { $0.bind(1, "a", [1]) }
            #expect(throws: DatabaseError.self) { try statement.run { $0.bind(2) } }
            #expect(throws: DatabaseError.self) { try statement.run { _ in } }
            let tooMany = #expect(throws: DatabaseError.self) {
                try statement.run { values in
                    values.bind(2, "b", [2])
                    values.bind(3)
                }
            }
            #expect(tooMany?.resultCode == .SQLITE_RANGE)
            #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM value") == 1)
        }
    }

    @Test func runsAgainAfterItFailed() throws {
        try queue.write { database in
            let statement = try PreparedStatement(Self.insert, on: database)
            try statement.run { $0.bind(1, "a", [1]) }
            for _ in 1...2 {
                let taken = #expect(throws: DatabaseError.self) { try statement.run { $0.bind(1, "b", [1]) } }
                #expect(taken?.extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY)
                #expect(taken?.description.contains("UNIQUE constraint failed: value.number") == true)
                let missing = #expect(throws: DatabaseError.self) { try statement.run { $0.bind(2, "b", nil) } }
                #expect(missing?.extendedResultCode == .SQLITE_CONSTRAINT_NOTNULL)
            }
            #expect(try statement.run { $0.bind(2, "b", [2]) } == 1)
        }
    }

    @Test func namesWhatIsWrongInItsText() throws {
        try queue.write { database in
            let error = #expect(throws: DatabaseError.self) {
                try PreparedStatement("INSERT INTO absent VALUES (?)", on: database)
            }
            #expect(error?.message == "no such table: absent")
        }
    }

    @Test func followsAChangeOfTheTables() throws {
        try queue.write { database in
            let statement = try PreparedStatement(Self.insert, on: database)
            try statement.run { $0.bind(1, "a", [1]) }
            try database.execute(sql: "CREATE INDEX value_by_bytes ON value (bytes)")
            #expect(try statement.run { $0.bind(2, "b", [2]) } == 1)
            #expect(try String.fetchAll(database, sql: "PRAGMA integrity_check") == ["ok"])
        }
    }
}

extension StatementValues {
    fileprivate mutating func bind(_ number: Int, _ text: String?, _ bytes: [UInt8]?) {
        bind(number)
        bind(text)
        bind(bytes)
    }
}
