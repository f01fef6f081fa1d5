import Foundation
import JournalContract
import PaymentRelay
import PayrelayPrimitives
import SQLJournal
import TestPostgres
import Testing

@testable import PostgresDriver

@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL's server programs are not installed"))
struct PostgresMigrationTests {
    @Test("R7: many instances may start at once", .timeLimit(.minutes(25)), arguments: 1...5)
    func migratesOnceWhenManyInstancesStart(round: Int) async throws {
        try await PostgresSchema.with { schema in
            try await withThrowingTaskGroup { group in
                for number in 0..<12 {
                    group.addTask {
                        let journal = try await schema.journal()
                        #expect(try await journal.claim(.sample("\(number)", token: number)) == .written)
                    }
                }
                try await group.waitForAll()
            }
            #expect(
                try schema.run("SELECT version FROM schema_version").map { try $0.text("version") }
                    == [String(Schema.versions.count)])
        }
    }

    @Test(.timeLimit(.minutes(25))) func completesAMigrationThatStoppedHalfWay() async throws {
        try await PostgresSchema.with { schema in
            try schema.run(
                """
                CREATE TABLE schema_version (one bigint PRIMARY KEY, version bigint NOT NULL);
                INSERT INTO schema_version VALUES (1, 0);
                """)
            let first = Dialect.postgres.written(Schema.versions[0])
            let end = try #require(first.range(of: ");"))
            try schema.run(String(first[..<end.upperBound]))
            #expect(try await schema.journal().claim(.sample("A", token: 1)) == .written)
        }
    }

    private static let next = "ALTER TABLE payment ADD COLUMN IF NOT EXISTS colour text DEFAULT 'red'"

    @Test("R7: instances that start at once bring the tables to the next version once", .timeLimit(.minutes(25)))
    func migratesToTheNextVersionOnce() async throws {
        try await PostgresSchema.with { schema in
            #expect(try await schema.journal().claim(.sample("A", token: 1)) == .written)
            let url = try PostgresURL(schema.url)
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        try await PostgresConnection(url: url, settings: .patient)
                            .migrate(to: Schema.versions + [Self.next])
                    }
                }
                try await group.waitForAll()
            }
            #expect(
                try schema.run("SELECT version FROM schema_version").map { try $0.text("version") }
                    == [String(Schema.versions.count + 1)])
            #expect(try schema.run("SELECT colour FROM payment").map { try $0.text("colour") } == ["red"])
        }
    }

    @Test("a command makes missing tables, and changes none of an older version", .timeLimit(.minutes(25)))
    func leavesOlderTablesToTheRelays() async throws {
        try await PostgresSchema.with { schema in
            let known = Schema.versions.count
            var settings = PostgresSettings.patient
            settings.changesOlderTables = false
            let command = PostgresConnection(url: try PostgresURL(schema.url), settings: settings)
            for _ in 1...2 { try await command.migrate() }
            await #expect(throws: PostgresError.otherTables(version: known)) {
                try await command.migrate(to: Schema.versions + [Self.next])
            }
            #expect(
                try schema.run("SELECT version FROM schema_version").map { try $0.text("version") } == ["\(known)"])
            #expect(try await schema.journal().claim(.sample("A", token: 1)) == .written)
        }
    }

    @Test(.timeLimit(.minutes(25))) func refusesTablesOfANewerVersion() async throws {
        try await PostgresSchema.with { schema in
            _ = try await schema.journal()
            try schema.run("UPDATE schema_version SET version = 99")
            let known = Schema.versions.count
            await #expect(throws: PostgresError.newerTables(version: 99, known: known)) { try await schema.journal() }
        }
    }
}
