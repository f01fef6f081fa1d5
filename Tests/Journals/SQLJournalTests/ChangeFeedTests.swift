import Foundation
import JournalContract
import PaymentRelay
import PostgresDriver
import SQLiteDriver
import TestPostgres
import Testing

@testable import SQLJournal

@Suite struct ChangeFeedTests {
    /// Each filter, and the index that reads its pages.
    static let ways: [(name: String, index: String, set: @Sendable (inout ChangeQuery) -> Void)] = [
        ("all", "history_by_time", { _ in }),
        ("outcomes", "history_by_time", { $0.kind = .outcome }),
        ("account", "history_by_time", { $0.account = "aed" }),
        ("operators", "history_by_operator", { $0.operators = .all }),
        ("an operator's refunds", "history_by_operator", { ($0.operators, $0.kind) = (.named("sara"), .refund) }),
        ("refunds", "history_by_kind", { $0.kind = .refund }),
        ("elsewhere", "history_by_kind", { $0.kind = .elsewhere }),
    ]

    private static let end = ChangeCursor(at: .wholeSecond - 75, merchantReference: "A", number: 1)

    private func query(_ way: Int) -> ChangeQuery {
        var query = ChangeQuery()
        Self.ways[way].set(&query)
        query.from = .wholeSecond - 604_800
        query.after = ChangeCursor(at: .wholeSecond, merchantReference: "A", number: 1)
        return query
    }

    @Test(
        "SQLite continues after the last page by the index, and reads no other table completely",
        arguments: 0..<ways.count)
    func readsByItsIndexInSQLite(way: Int) throws {
        let connection = try SQLiteConnection(path: ":memory:")
        try Schema.migrate(connection, in: .sqlite)
        for end in [nil, Self.end] {
            let page = ChangeFeed(query(way), bound: 5_000).page(downTo: end)
            let plan = try connection.run(
                "EXPLAIN QUERY PLAN " + Dialect.sqlite.written(page.statement.first), page.values
            ).rows.map { try $0.text("detail") }.joined(separator: "\n")
            #expect(plan.contains("SEARCH history USING INDEX \(Self.ways[way].index)"), "\(plan)")
            #expect(plan.contains("(at,merchant_reference,number)<(?,?,?)"), "\(plan)")
            #expect(plan.contains("(at,merchant_reference,number)>(?,?,?)") == (end != nil), "\(plan)")
            for table in ["history", "payment", "earlier", "movement"] { #expect(!plan.contains("SCAN \(table)")) }
        }
    }

    @Test("PostgreSQL reads each page by its index", .enabled(if: PostgresServer.isAvailable), .timeLimit(.minutes(25)))
    func readsByItsIndexInPostgres() async throws {
        let driver = try await PostgresDriver(
            url: PostgresServer.shared.get().emptySchema(), settings: .patient)
        let fill = """
            INSERT INTO history (merchant_reference, number, at, state, captured, refunded, kind, operator, times)
            SELECT 'P-' || n, 1, 1799999900000 + n, 'captured', 0, 0,
                CASE n % 100 WHEN 0 THEN 'refund' WHEN 1 THEN 'elsewhere' ELSE 'charge' END,
                CASE n % 100 WHEN 2 THEN 'sara' END, 1 FROM generate_series(1, 30000) AS n
            """
        _ = try await driver.write(Statement(nil, fill), [])
        _ = try await driver.read(Statement(nil, "ANALYZE history"), [])
        for (way, (name, index, _)) in Self.ways.enumerated() {
            for end in [nil, Self.end] {
                let page = ChangeFeed(query(way), bound: 5_000).page(downTo: end)
                let plan = try await driver.read(Statement(nil, "EXPLAIN " + page.statement.first), page.values)
                    .map { try $0.text("QUERY PLAN") }.joined(separator: "\n")
                #expect(plan.contains(index), "\(name): \(plan)")
                #expect(!plan.contains("Seq Scan"), "\(name): \(plan)")
            }
        }
    }

    @Test func putsNoTextOfAnOperatorIntoSQL() {
        let attack = "'; DROP TABLE payment; --"
        var query = ChangeQuery()
        (query.account, query.operators, query.kind) = (attack, .named(attack), .outcome)
        query.after = ChangeCursor(at: .wholeSecond, merchantReference: attack, number: 1)
        for reference in [nil, attack] {
            query.merchantReference = reference
            let feed = ChangeFeed(query, bound: 5_000)
            let end = ChangeCursor(at: .wholeSecond, merchantReference: attack, number: 1)
            for asked in [feed.end, feed.page(downTo: nil), feed.page(downTo: end)] {
                let (statement, values) = (asked.statement, asked.values)
                #expect(!statement.first.contains("DROP") && statement.first.contains("LIMIT"))
                #expect(values.contains { if case .text(let text?) = $0 { text.contains("DROP") } else { false } })
            }
        }
    }
}
