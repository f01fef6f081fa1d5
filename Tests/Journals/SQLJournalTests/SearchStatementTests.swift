import Foundation
import JournalContract
import PaymentRelay
import PayrelayPrimitives
import PostgresDriver
import SQLiteDriver
import Synchronization
import TestPostgres
import TestPrograms
import Testing

@testable import SQLJournal

@Suite struct SearchStatementTests {
    /// A database that keeps the statements it gets, and has the given number of rows in each list.
    private final class Asked: Driver {
        let dialect = Dialect.sqlite
        let asked = Mutex<[(statement: Statement, values: [Value])]>([])
        let counted: Int

        init(counting counted: Int) { self.counted = counted }

        func read(_ statement: Statement, _ values: [Value]) async throws(JournalError) -> [Row] {
            asked.withLock { $0.append((statement, values)) }
            if statement.first.contains("AS one") {
                return [Row(names: ["times"], columns: [.integer(min(counted, 5_001))])]
            }
            let end = Row(
                names: ["claimed_at", "merchant_reference"], columns: [.integer(7), .text("end")])
            return statement.first.contains("OFFSET") ? [end] : []
        }

        func write(_ statement: Statement, _ values: [Value]) async throws(JournalError) -> Answer { Answer() }
        func checkDurability(
            rehearsing claim: Statement, _ values: [Value]
        ) async throws(JournalError) -> [DurabilityGap] { [] }
        func purgeFiles() async throws(JournalError) {}

        var statements: [(statement: Statement, values: [Value])] { asked.withLock { $0 } }
    }

    @Test(arguments: [0, 100_000], [false, true])
    func putsNoTextOfAClientIntoSQL(counted: Int, seesMadeElsewhere: Bool) async throws {
        let attack = "'; DROP TABLE payment; --"
        var query = PaymentQuery(
            visibleTo: .payments(VisiblePayments(of: attack, includingMadeElsewhere: seesMadeElsewhere)))
        query.merchantReferencePrefix = attack
        query.currency = attack
        query.account = attack
        query.gatewayReference = attack
        query.appleTransactionIdentifier = attack
        query.cardLastFour = attack
        if !seesMadeElsewhere { query.client = attack }
        query.after = PaymentCursor(at: .distantPast, merchantReference: attack)
        let database = Asked(counting: counted)
        _ = try await SQLJournal(database).search(query)
        _ = try await SQLJournal(database).totals(of: query)
        #expect(!database.statements.isEmpty)
        for (statement, values) in database.statements {
            #expect(!statement.first.contains("DROP"))
            #expect(values.contains { if case .text(let text?) = $0 { text.contains("DROP") } else { false } })
        }
    }

    /// S7: the fast path for an exact reference must not skip the other filters.
    @Test(arguments: [false, true]) func keepsEveryFilterBesideAnExactReference(seesMadeElsewhere: Bool) async throws {
        var query = PaymentQuery(
            visibleTo: .payments(VisiblePayments(of: "shop", includingMadeElsewhere: seesMadeElsewhere)))
        query.merchantReference = "A"
        let database = Asked(counting: 1)
        _ = try await SQLJournal(database).search(query)
        let (statement, values) = try #require(database.statements.last)
        #expect(statement.first.contains("client") && values.contains(.text("shop")))
    }

    @Test func asksNothingForAnotherClientsPayments() async throws {
        var query = PaymentQuery(visibleTo: .payments(VisiblePayments(of: "shop")))
        query.client = "other"
        let database = Asked(counting: 1)
        let page = try await SQLJournal(database).search(query)
        #expect(page.payments.isEmpty && page.next == nil)
        #expect(database.statements.isEmpty)
    }

    /// For any query, a page takes a bounded number of statements, each over a bounded number of rows.
    @Test func looksAtABoundedNumberOfPaymentsForAPage() async throws {
        var query = PaymentQuery()
        query.merchantReferencePrefix = "A"
        query.amounts = 1...100
        query.command = .authorization
        query.needsAttention = true
        let database = Asked(counting: 100_000)
        let page = try await SQLJournal(database).search(query)
        #expect(page.payments.isEmpty && page.next?.merchantReference == "end")
        #expect(database.statements.count == 4)
        #expect(database.statements.allSatisfy { $0.statement.first.contains("LIMIT") })
    }

    @Test func looksAtABoundedNumberOfPaymentsForTheirTotals() async throws {
        for prefix in ["A", nil] {
            var query = PaymentQuery()
            query.merchantReferencePrefix = prefix
            query.amounts = 1...100
            let database = Asked(counting: 100_000)
            #expect(try await SQLJournal(database).totals(of: query).lookedAt == 5_000)
            #expect(database.statements.count <= 3)
            #expect(database.statements.allSatisfy { $0.statement.first.contains("LIMIT 500") })
        }
    }

    /// Each filter of payments, and the index that reads its pages.
    static let ways: [(name: String, index: String, set: @Sendable (inout PaymentQuery) -> Void)] = [
        ("all", "payment_by_time", { _ in }),
        ("gateway's reference", "payment_by_gateway_reference", { $0.gatewayReference = "1" }),
        ("Apple's identifier", "payment_by_token", { $0.appleTransactionIdentifier = "ab" }),
        ("email", "payment_by_email", { $0.emailDigest = EmailDigest(of: "a@b.c") }),
        ("phone", "payment_by_phone", { $0.phoneDigest = PhoneDigest(of: "0501234567") }),
        ("name", "payment_by_name", { $0.nameDigest = NameDigest(of: "Jane Doe") }),
        ("code", "payment_by_time", { $0.responseCode = AnsweredText("14008", in: ["response_code"]) }),
        ("network", "payment_by_time", { $0.cardNetwork = AnsweredText("mada", in: ["payment_option"]) }),
        (
            "declined with a code", "payment_by_state",
            {
                $0.outcome = .declined
                $0.responseCode = AnsweredText("14008", in: ["response_code"])
            }
        ),
        ("changed", "history_by_time", { $0.changedFrom = .wholeSecond }),
        ("card", "payment_by_card", { $0.cardLastFour = "1111" }),
        ("card as the phone names it", "payment_by_displayed_card", { $0.cardLastFour = "1111" }),
        ("beginning", "payment_by_lowercase_reference", { $0.merchantReferencePrefix = "P-1234" }),
        ("client", "payment_by_client", { $0.client = "shop" }),
        ("state", "payment_by_state", { $0.outcome = .declined }),
        ("amount", "payment_by_time", { $0.amounts = 1...2 }),
        ("attention", "sqlite_autoindex_payment_1", { $0.needsAttention = true }),
    ]

    private static let end = PaymentCursor(at: Date(timeIntervalSince1970: 1_700_000_025), merchantReference: "A")

    @Test(
        "SQLite reads each page by its index, and sorts no more than the payments of one moment",
        arguments: 0..<ways.count)
    func readsByItsIndexInSQLite(way: Int) throws {
        let connection = try SQLiteConnection(path: ":memory:")
        try Schema.migrate(connection, in: .sqlite)
        var query = PaymentQuery()
        Self.ways[way].set(&query)
        query.after = PaymentCursor(at: .wholeSecond, merchantReference: "A")
        query.claimedTo = .wholeSecond + 60
        let search = Search(query)
        let source = try #require(search.sources.first)
        for end in [nil, Self.end] {
            let page = search.page(source, downTo: end, bound: 5_000)
            let plan = try connection.run(
                "EXPLAIN QUERY PLAN " + Dialect.sqlite.written(page.statement.first), page.values
            ).rows.map { try $0.text("detail") }.joined(separator: "\n")
            let table = Self.ways[way].index == "history_by_time" ? "history" : "payment"
            #expect(plan.contains("SEARCH \(table) USING INDEX \(Self.ways[way].index)"), "\(plan)")
            #expect(plan.contains("SEARCH payment USING"), "\(plan)")
            #expect(!plan.contains("SCAN history"), "\(plan)")
            // The page continues where the previous page ended.
            guard Self.ways[way].index == "payment_by_time" else { continue }
            #expect(plan.contains("(claimed_at,merchant_reference)<(?,?)"), "\(plan)")
            #expect(plan.contains("(claimed_at,merchant_reference)>(?,?)") == (end != nil), "\(plan)")
        }
    }

    @Test(
        "PostgreSQL reads each page by its index", .enabled(if: PostgresServer.isAvailable), .timeLimit(.minutes(25)))
    func readsByItsIndexInPostgres() async throws {
        let driver = try await PostgresDriver(
            url: PostgresServer.shared.get().emptySchema(), settings: .patient)
        let fill = """
            INSERT INTO payment (merchant_reference, state, command, amount, currency, fingerprint, apple_transaction_identifier,
                claimed_at, gateway, client, captured, refunded, gateway_reference, card_last_four, email_digest, phone_digest, name_digest, holds_customer_data, version)
            SELECT 'P-' || n, CASE WHEN n % 100 = 0 THEN 'declined' ELSE 'captured' END, 'PURCHASE', n, 'AED', 'f', 'ab' || n,
                1700000000000 + n, 'fort', 'shop' || n % 100, 0, 0, '1' || n, CAST(1000 + n % 9000 AS text),
                decode(md5(CAST(n AS text)), 'hex'), decode(md5(CAST(n AS text)), 'hex'), decode(md5(CAST(n AS text)), 'hex'),
                1, 1 FROM generate_series(1, 30000) AS n
            """
        _ = try await driver.write(Statement(nil, fill), [])
        let changes = """
            INSERT INTO history (merchant_reference, number, at, state, captured, refunded, kind, times)
            SELECT merchant_reference, 1, CASE WHEN amount % 1000 = 0 THEN 1800000000000 ELSE claimed_at END, state, 0, 0, 'charge', 1
            FROM payment
            """
        _ = try await driver.write(Statement(nil, changes), [])
        for table in ["payment", "history"] { _ = try await driver.read(Statement(nil, "ANALYZE \(table)"), []) }
        for way in Self.ways where way.name != "attention" {
            var query = PaymentQuery()
            way.set(&query)
            query.after = PaymentCursor(at: .wholeSecond, merchantReference: "A")
            let search = Search(query)
            for end in [nil, Self.end] {
                let page = search.page(try #require(search.sources.first), downTo: end, bound: 5_000)
                let plan = try await driver.read(Statement(nil, "EXPLAIN " + page.statement.first), page.values)
                    .map { try $0.text("QUERY PLAN") }.joined(separator: "\n")
                #expect(plan.contains(way.index) && !plan.contains("Seq Scan"), "\(way.name): \(plan)")
            }
        }
    }
}
