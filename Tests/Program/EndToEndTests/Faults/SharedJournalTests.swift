import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPostgres
import TestPrograms
import Testing

/// Several relays that share one PostgreSQL.
@Suite struct SharedJournalTests {
    @Test(
        "R7: three instances that get the same thousand orders at once make a thousand charges, at two gateways",
        .enabled(if: PostgresServer.isAvailable, "PostgreSQL's server programs are not installed"))
    func threeRelaysThatGetTheSameThousandOrdersAtOnceMakeAThousandCharges() async throws {
        let settings = ["PAYRELAY_JOURNAL": try PostgresServer.shared.get().emptySchema()]
        let sandbox = try await RunningSandbox()
        var relays: [RunningRelay] = []
        for _ in 1...3 {
            relays.append(try await RunningRelay(sandbox: sandbox, gateways: TestedGateway.allCases, settings))
        }
        let orders = try (0..<1_000).map { try Orders.body(at: TestedGateway.allCases[$0 % 2]) }
        let answers = try await withThrowingTaskGroup { group in
            var answers: [String: [OutboundAnswer]] = [:]
            func next() async throws {
                guard let (reference, answer) = try await group.next() else { return }
                answers[reference, default: []].append(answer)
            }
            for (place, order) in orders.enumerated() {
                let reference = order["merchant_reference"]?.stringValue ?? ""
                for relay in relays { group.addTask { (reference, try await Self.pay(order.json, at: relay)) } }
                if place >= 40 { for _ in relays { try await next() } }
            }
            while !group.isEmpty { try await next() }
            return answers
        }
        let books = [try await sandbox.books(of: .fort), try await sandbox.books(of: .portmone)]
        #expect(books.map(\.count) == [500, 500])
        #expect(books.joined().allSatisfy { $0["charged"] == true && $0["charge_requests"] == 1 })
        #expect(answers.count == 1_000)
        for (reference, answers) in answers {
            let paid = answers.filter { $0.status == 200 }
            #expect(Set(paid.map(\.body)).count == 1, "\(reference) has two answers")
            #expect(answers.allSatisfy { $0.status == 200 || $0.problem == "in-flight" })
        }
    }

    /// Pays an order. A busy PostgreSQL may take too long for the relay, which then charges nothing, so the order is repeated.
    private static func pay(_ order: JSON, at relay: RunningRelay) async throws -> OutboundAnswer {
        while true {
            let answer = try await relay.pay(order)
            guard answer.status == 503, answer.problem == "journal-unavailable" else { return answer }
        }
    }

    @Test(
        "S12, S16: while the database is down a payment is answered with 503 and not charged",
        .enabled(if: PostgresServer.canBeStarted, "PostgreSQL's server programs are not installed"))
    func whileTheDatabaseIsDownNothingIsCharged() async throws {
        let server = try await PostgresServer()
        let relay = try await RunningRelay(["PAYRELAY_JOURNAL": server.url])
        #expect(try await relay.pay(Orders.body().json).outcome == "captured")

        try await server.stop()
        let reference = Orders.reference()
        let order = try Orders.body(reference).json
        let refused = try await relay.pay(order)
        #expect(refused.status == 503 && refused.problem == "journal-unavailable")
        #expect(refused.header("Retry-After") != nil)
        #expect(try await relay.sandbox.books().count == 1)

        try await relay.waitUntilReady(false)

        try await server.start()
        try await relay.waitUntilReady(true)
        try await relay.program.wait(for: "the journal") { try await relay.pay(order).outcome == "captured" }
        #expect(try await relay.sandbox.charges(of: reference) == 1)
    }

    /// The database answers every read, and writes nothing.
    @Test(
        "S16: a database that becomes read-only is not ready",
        .enabled(if: PostgresServer.canBeStarted, "PostgreSQL's server programs are not installed"))
    func aDatabaseThatBecomesReadOnlyIsNotReady() async throws {
        let server = try await PostgresServer()
        let relay = try await RunningRelay(["PAYRELAY_JOURNAL": server.url])
        #expect(try await relay.pay(Orders.body().json).outcome == "captured")
        try await relay.waitUntilReady(true)

        func set(_ value: String) throws {
            try shell(
                "psql '\(server.url)' -qc 'ALTER SYSTEM SET default_transaction_read_only = \(value)'"
                    + " -c 'SELECT pg_reload_conf()'")
        }
        try set("on")
        try await relay.waitUntilReady(false)
        #expect(try await relay.admin("/ready").json?["journal"] == "down")
        let order = try Orders.body().json
        #expect(try await relay.pay(order).problem == "journal-unavailable")
        #expect(try await relay.sandbox.books().count == 1)

        try set("off")
        try await relay.waitUntilReady(true)
        #expect(try await relay.pay(order).outcome == "captured")
    }

    /// The database's disk has no space for another row.
    @Test(
        "S16: a database whose tables cannot grow is not ready",
        .enabled(if: PostgresServer.canBeStarted, "PostgreSQL's server programs are not installed"))
    func aDatabaseWhoseTablesCannotGrowIsNotReady() async throws {
        let server = try await PostgresServer()
        let relay = try await RunningRelay(["PAYRELAY_JOURNAL": server.url])
        #expect(try await relay.pay(Orders.body().json).outcome == "captured")
        try await relay.waitUntilReady(true)
        try shell(
            """
            psql '\(server.url)' -v ON_ERROR_STOP=1 -q <<'SQL'
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
            CREATE TRIGGER full_disk BEFORE INSERT ON payment FOR EACH ROW EXECUTE FUNCTION refuse();
            SQL
            """)
        try await relay.waitUntilReady(false)
        let order = try Orders.body().json
        #expect(try await relay.pay(order).problem == "journal-unavailable")
        #expect(try await relay.sandbox.books().count == 1)

        try shell("psql '\(server.url)' -qc 'DROP TRIGGER full_disk ON payment'")
        try await relay.waitUntilReady(true)
        #expect(try await relay.pay(order).outcome == "captured")
    }
}
