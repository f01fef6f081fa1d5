import Foundation
import JournalContract
import PaymentRelay
import SQLJournal
import TestPostgres
import TestPrograms
import Testing

@testable import PostgresDriver

/// Faults of a PostgreSQL server. Each test has a separate server, which it may stop or damage.
@Suite(.enabled(if: PostgresServer.canBeStarted, "PostgreSQL's server programs are not installed"))
struct PostgresFaultTests {
    @Test(.timeLimit(.minutes(25))) func failsWhileTheServerIsDownAndRecovers() async throws {
        let server = try await PostgresServer()
        try await PostgresSchema.with(on: server) { schema in
            let journal = try await schema.journal()
            _ = try await journal.claim(.sample("A", token: 1))
            try await server.stop()
            for number in 0..<10 {
                let error = await #expect(throws: JournalError.self) {
                    try await journal.claim(.sample("B", token: 2, key: "\(number)"))
                }
                guard case .unavailable(let reason) = error, reason.hasPrefix("no connection to the journal") else {
                    return try #require(error == nil)
                }
            }
            try await server.start()
            #expect(try await journal.claim(.sample("B", token: 2)) == .written)
            #expect(try await journal.payment("A")?.state == .processing)
        }
    }

    /// A machine that is cut off from the network does not answer: libpq would wait for it until the time limit for all hosts
    /// is over.
    @Test("S16: a host that does not answer does not keep the journal from the next", .timeLimit(.minutes(25)))
    func goesOnToTheNextHost() async throws {
        let silent = try LoopbackSocket.silentServer()
        try await PostgresSchema.with(on: PostgresServer()) { schema in
            var settings = PostgresSettings.patient
            settings.connectTimeout = .seconds(30)
            for count in 1...2 {
                let hosts = String(repeating: "127.0.0.1:\(silent.port),", count: count) + "127.0.0.1:"
                let journal = try await SQLJournal(
                    url: schema.url.replacingOccurrences(of: "@127.0.0.1:", with: "@\(hosts)"),
                    settings: settings)
                #expect(try await journal.claim(.sample("\(count)", token: count)) == .written)
            }
        }
    }

    /// A primary that was cut off stays silent while one of the replicas becomes the primary.
    @Test(
        "S16: a host that does not answer is tried last, and not for all of the remaining time",
        .timeLimit(.minutes(25)))
    func asksTheSilentHostLast() async throws {
        let silent = try LoopbackSocket.silentServer()
        let dead = try LoopbackSocket()
        let hosts = [silent, dead, dead].map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
        let url = try PostgresURL("postgres://\(hosts)/payrelay")
        for _ in 1...2 {
            let (hasFailed, endsEarly) = try await onThread {
                let deadline = ContinuousClock.now + .seconds(3)
                let session = try? PostgresSession.connect(to: url, until: deadline)
                return (session == nil, ContinuousClock.now < deadline)
            }
            #expect(hasFailed && endsEarly)
            #expect(url.attempts.map(\.host) == [1, 2, 0])
        }
    }

    @Test(.timeLimit(.minutes(25))) func replacesAConnectionLostWhileIdle() async throws {
        try await PostgresSchema.with(on: PostgresServer()) { schema in
            let journal = try await schema.journal()
            for number in 0..<5 {
                try schema.run(Self.endEverySession)
                #expect(try await journal.claim(.sample("\(number)", token: number)) == .written)
            }
        }
    }

    @Test(.timeLimit(.minutes(25))) func failsAClaimWhoseConnectionIsLost() async throws {
        try await PostgresSchema.with(on: PostgresServer()) { schema in
            let journal = try await schema.journal()
            let rival = try schema.session()
            try rival.hold(
                "\(PostgresSchema.row("A"))")
            async let claimed = journal.claim(.sample("A", token: 1))
            for backend in try await schema.waitingBackends() {
                try schema.run("SELECT pg_terminate_backend(\(backend))")
            }
            do {
                let result = try await claimed
                Issue.record("the claim ended as \(result)")
            } catch {
                guard case JournalError.outcomeUnknown = error else { throw error }
            }
            try rival.letGo()
            #expect(try await journal.payment("A") == nil)
            #expect(try await journal.claim(.sample("A", token: 1)) == .written)
        }
    }

    @Test(.timeLimit(.minutes(25))) func repeatsATransitionWhoseConnectionIsLost() async throws {
        try await PostgresSchema.with(on: PostgresServer()) { schema in
            let journal = try await schema.journal()
            _ = try await journal.claim(.sample("A", token: 1))
            let rival = try schema.session()
            try rival.hold("SELECT FROM payment FOR UPDATE")
            let entry = HistoryEntry(at: .wholeSecond, state: .captured)
            async let moved = journal.transition("A", from: .processing, receipt: [1], because: entry)
            for backend in try await schema.waitingBackends() {
                try schema.run("SELECT pg_terminate_backend(\(backend))")
            }
            try rival.letGo()
            #expect(try await moved)
            #expect(try await journal.history(of: "A").map(\.state) == [.processing, .captured])
        }
    }

    @Test("R5: a claim that a silent server carried out is found when its lease expires", .timeLimit(.minutes(25)))
    func leasesAClaimThatASilentServerCarriedOut()
        async throws
    {
        try await PostgresSchema.with(on: PostgresServer()) { schema in
            let journal = try await schema.journal {
                $0.connections = 1
                $0.statementTimeout = .seconds(5)
            }
            _ = try await journal.claim(.sample("A", token: 1))
            let backend = try #require(
                try schema.run(
                    "SELECT pid FROM pg_stat_activity WHERE query LIKE '%INSERT INTO payment%' AND pid <> pg_backend_pid()"
                ).first
            ).text("pid")
            try shell("kill -STOP \(backend)")
            await #expect(throws: JournalError(.outcomeUnknown(reason: "timeout"))) {
                try await journal.claim(.sample("B", token: 2, leasedFor: .seconds(60)))
            }
            try shell("kill -CONT \(backend)")
            while try await journal.payment("B") == nil { try await Task.sleep(for: .milliseconds(10)) }
            let expiry = Date.wholeSecond + 60
            #expect(
                try await journal.lease(Payment.self, limit: 9, at: expiry - 1, until: expiry).map(\.merchantReference)
                    == ["A"])
            #expect(
                try await journal.lease(Payment.self, limit: 9, at: expiry, until: expiry + 60).map(\.merchantReference)
                    .contains("B")
            )
        }
    }

    @Test(.timeLimit(.minutes(25))) func failsWhenEveryConnectionIsBusy() async throws {
        try await PostgresSchema.with(on: PostgresServer()) { schema in
            let journal = try await schema.journal {
                $0.connections = 1
                $0.waitersAtMost = 1
                $0.waitTimeout = .milliseconds(1)
            }
            _ = try await journal.claim(.sample("A", token: 1))
            let rival = try schema.session()
            try rival.hold("SELECT FROM payment FOR UPDATE")
            let entry = HistoryEntry(at: .wholeSecond, state: .captured)
            async let moved = journal.transition("A", from: .processing, receipt: nil, because: entry)
            _ = try await schema.waitingBackends()
            try await withThrowingTaskGroup { group in
                for _ in 1...2 {
                    group.addTask {
                        await #expect(throws: ConnectionPool.overloaded) { try await journal.payment("A") }
                    }
                }
                // One read finds the queue full and fails at once. The other waits until the connection is free, which is too
                // late.
                _ = try await group.next()
                try await Task.sleep(for: .milliseconds(10))
                try rival.letGo()
                _ = try await group.next()
            }
            #expect(try await moved)
        }
    }

    @Test("S1: no error holds the password", .timeLimit(.minutes(25))) func holdsNoPasswordInErrors() async throws {
        let server = try await PostgresServer()
        let secret = "canary-5d1f"
        let wrong = [
            server.url.replacing("payrelay@", with: "nobody:\(secret)@"),
            server.url.replacing("payrelay@", with: "payrelay:\(secret)@") + "?sslmode=require",
            "postgres://payrelay:\(secret)%zz@127.0.0.1/postgres",
            "postgres://payrelay:\(secret)@127.0.0.1:1/postgres",
            "mysql://payrelay:\(secret)@127.0.0.1:1/postgres",
        ]
        for url in wrong {
            let error = await #expect(throws: PostgresError.self) { try await SQLJournal(url: url) }
            let text = try #require(error).description
            #expect(!text.contains(secret) && !text.isEmpty)
        }
    }

    @Test(.timeLimit(.minutes(25))) func refusesAServerWithoutTLS() async throws {
        let server = try await PostgresServer()
        let error = await #expect(throws: PostgresError.self) {
            try await SQLJournal(url: server.url + "?sslmode=require", settings: .patient)
        }
        #expect(error?.description.contains("SSL") == true)
    }

    @Test("S12: a returned write is on the disk even if the server's default is asynchronous", .timeLimit(.minutes(25)))
    func overridesAnAsynchronousCommit() async throws {
        try await PostgresSchema.with(on: PostgresServer(), options: ["synchronous_commit=off"]) { schema in
            let connection = PostgresConnection(url: try PostgresURL(schema.url), settings: .patient)
            let show = Statement("show", "SELECT current_setting('synchronous_commit') AS value")
            #expect(try connection.runTogether([(show, [])])[0].rows.first?.text("value") == "on")
        }
    }

    /// A session that used the server's own value would follow it whenever the server reads its configuration again.
    @Test(.timeLimit(.minutes(25))) func keepsSynchronousCommitForTheSession() async throws {
        try await PostgresSchema.with(on: PostgresServer()) { schema in
            let connection = PostgresConnection(url: try PostgresURL(schema.url), settings: .patient)
            let source = Statement(
                "source", "SELECT setting, source FROM pg_settings WHERE name = 'synchronous_commit'")
            let row = try #require(try connection.runTogether([(source, [])])[0].rows.first)
            #expect(try row.text("setting") == "on" && row.text("source") == "session")
        }
    }

    /// Every instance tries a claim with the same keys.
    @Test("S16: an instance that is lost during its check keeps no other from being ready", .timeLimit(.minutes(25)))
    func isReadyBesideALostInstance() async throws {
        try await PostgresSchema.with(on: PostgresServer()) { schema in
            let journal = try await schema.journal()
            var settings = PostgresSettings.patient
            settings.statementTimeout = .seconds(5)
            let lost = try PostgresConnection(url: PostgresURL(schema.url), settings: settings).connect()
            try lost.hold(PostgresSchema.row(""))
            try await journal.checkDurability()
            #expect(throws: PostgresError.self) { try lost.letGo() }
        }
    }

    @Test(
        "S16: the server soon looks whether an instance is still there, whatever it waits for",
        .timeLimit(.minutes(25)))
    func looksForLostInstances() async throws {
        try await PostgresSchema.with { schema in
            let set = try keepAlives(at: schema.url)
            #expect(set == ["5", "5", "3"])
        }
    }

    /// CockroachDB before 26.2 is such a server. Here a view that is found before the server's own view hides the settings.
    @Test(.timeLimit(.minutes(25))) func connectsToAServerWithoutKeepAlives() async throws {
        try await PostgresSchema.with { schema in
            let listed = "SELECT * FROM pg_catalog.pg_settings WHERE name NOT LIKE 'tcp_%'"
            try schema.run("CREATE VIEW pg_settings AS \(listed)")
            let url = schema.url + "%20-c%20search_path%3D\(schema.name)%2Cpg_catalog"
            let set = try keepAlives(at: url)
            #expect(set != ["5", "5", "3"])
        }
    }

    private func keepAlives(at url: String) throws -> [String] {
        let session = try PostgresConnection(url: PostgresURL(url), settings: .patient).connect()
        return try ["idle", "interval", "count"].map { name in
            let script = "SELECT current_setting('tcp_keepalives_\(name)') AS value"
            let row = try #require(try session.run(script: script, until: .now + .seconds(3_600)).rows.first)
            return try row.text("value")
        }
    }

    /// The policy makes the lease wait between its snapshot of the database and the rows that it takes.
    @Test("R5: a payment that changes while it is leased keeps its answer", .timeLimit(.minutes(25)))
    func leasesAPaymentWithItsAnswer() async throws {
        try await PostgresSchema.with(on: PostgresServer()) { schema in
            try schema.run("CREATE ROLE relay LOGIN; GRANT ALL ON SCHEMA \(schema.name) TO relay")
            let journal = try await SQLJournal(
                url: schema.url.replacingOccurrences(of: "payrelay@", with: "relay@"), settings: .patient)
            // This journal connects as a superuser, for whom the policy does not wait.
            let other = try await schema.journal()
            _ = try await journal.claim(.sample("A", token: 1))
            try schema.run(
                """
                CREATE FUNCTION pause() RETURNS boolean LANGUAGE plpgsql
                    AS 'BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN true; END';
                ALTER TABLE work ENABLE ROW LEVEL SECURITY;
                ALTER TABLE work FORCE ROW LEVEL SECURITY;
                CREATE POLICY pausing ON work USING (pause());
                """)
            let holder = try schema.session()
            try holder.hold("SELECT pg_advisory_xact_lock(1)")
            async let leased = journal.lease(Payment.self, limit: 9, at: .wholeSecond, until: .wholeSecond + 60)
            let waiting = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
            while try schema.run(waiting).isEmpty { try await Task.sleep(for: .milliseconds(10)) }
            let entry = HistoryEntry(at: .wholeSecond, state: .uncertain)
            #expect(try await other.transition("A", from: .processing, receipt: [1], because: entry))
            try holder.letGo()
            #expect(try await leased.map(\.receipt) == [[1]])
        }
    }

    @Test(.timeLimit(.minutes(25))) func recordsAReasonWithoutNUL() async throws {
        try await PostgresSchema.with(on: PostgresServer()) { schema in
            let journal = try await schema.journal()
            _ = try await journal.claim(.sample("A", token: 1))
            let entry = HistoryEntry(at: .wholeSecond, state: .uncertain, reason: "on\0hold")
            #expect(try await journal.transition("A", from: .processing, receipt: [0], because: entry))
            #expect(try await journal.history(of: "A").last?.reason == "on\u{FFFD}hold")
        }
    }

    private static let endEverySession = """
        SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
        WHERE pid <> pg_backend_pid() AND application_name = 'payrelay'
        """
}

extension PostgresSession {
    /// Begins a transaction that keeps the rows of a statement locked until it is rolled back.
    func hold(_ statement: String) throws {
        _ = try run(script: "BEGIN; \(statement)", until: .now + .seconds(3_600))
    }

    /// Rolls the transaction back.
    func letGo() throws {
        _ = try run(script: "ROLLBACK", until: .now + .seconds(3_600))
    }
}
