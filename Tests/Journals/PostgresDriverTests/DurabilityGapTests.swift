import Foundation
import PaymentRelay
import SQLJournal
import TestPostgres
import TestPrograms
import Testing

@testable import PostgresDriver

/// R1, R5: the database's durability settings can change while the relay runs.
@Suite(
    .enabled(if: PostgresServer.canBeStarted, "PostgreSQL's server programs are not installed"),
    .timeLimit(.minutes(25)))
struct DurabilityGapTests {
    @Test("R5: a database that does not wait for its disk is reported, and one that does is not")
    func theDisk() async throws {
        let server = try await PostgresServer()
        // The tests' servers do not wait for their disks.
        try await PostgresSchema.with(on: server) { schema in
            let journal = try await schema.journal()
            #expect(try await journal.checkDurability() == [.diskNotAwaited])
            try server.set("fsync", "on")
            try await journal.waits(for: [])
        }
    }

    @Test("R1: a database that has a replica and waits for none is reported, for any database role of the relay")
    func theReplica() async throws {
        let server = try await PostgresServer()
        try server.set("fsync", "on")
        try await PostgresSchema.with(on: server) { schema in
            try schema.run(
                "CREATE ROLE relay LOGIN; GRANT ALL ON SCHEMA \(schema.name) TO relay")
            let journal = try await SQLJournal(
                url: schema.url.replacingOccurrences(of: "payrelay@", with: "relay@"), settings: .patient)
            #expect(try await journal.checkDurability() == [])
            let folder = try TemporaryFolder()
            let port = try #require(URLComponents(string: server.url)?.port)
            let replica = try TestProgram([
                "/usr/bin/env", "pg_receivewal", "--host=127.0.0.1", "--port=\(port)", "--username=payrelay",
                "--synchronous",
                "--directory=\(folder.path(""))",
            ])
            try await journal.waits(for: [.noSynchronousStandby])
            try server.set("synchronous_standby_names", "pg_receivewal")
            try await journal.waits(for: [])
            try schema.run("ALTER ROLE relay SET synchronous_commit = local")
            let another = try await SQLJournal(
                url: schema.url.replacingOccurrences(of: "payrelay@", with: "relay@"), settings: .patient)
            #expect(try await another.checkDurability() == [.noSynchronousStandby])
            replica.signal(SIGTERM)
            // Without its standby the server would keep every commit waiting.
            try server.set("synchronous_standby_names", "")
            try await journal.waits(for: [])
        }
    }

    @Test("R1: a URL with several hosts has a replica, seen or not")
    func severalHosts() async throws {
        try await PostgresSchema.with(on: PostgresServer()) { schema in
            let port = try #require(URLComponents(string: schema.url)?.port)
            let journal = try await SQLJournal(
                url: schema.url.replacingOccurrences(of: "@127.0.0.1:", with: "@127.0.0.1:\(port),127.0.0.1:"),
                settings: .patient)
            #expect(try await journal.checkDurability().contains(.noSynchronousStandby))
        }
    }
}

extension PostgresServer {
    fileprivate func set(_ name: String, _ value: String) throws {
        try shell("psql '\(url)' -qc \"ALTER SYSTEM SET \(name) = '\(value)'\" -c 'SELECT pg_reload_conf()'")
    }
}

extension SQLJournal {
    /// Waits until the check finds these gaps: a server reads its changed settings some time after the request.
    fileprivate func waits(for gaps: [DurabilityGap]) async throws {
        while try await checkDurability() != gaps { try await Task.sleep(for: .milliseconds(20)) }
    }
}
