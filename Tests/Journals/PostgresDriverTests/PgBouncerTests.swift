import Foundation
import JournalContract
import PaymentRelay
import SQLJournal
import TestPostgres
import TestPrograms
import Testing

@testable import PostgresDriver

/// A journal behind a PgBouncer.
@Suite(
    .enabled(if: PgBouncer.program != nil && PostgresServer.canBeStarted, "pgbouncer or PostgreSQL is not installed"))
struct PgBouncerTests {
    @Test("A pooler that keeps a session for a connection is as good as the server", .timeLimit(.minutes(25)))
    func sessionsAreKept() async throws {
        let server = try await PostgresServer()
        let bouncer = try PgBouncer(before: server, mode: "session")
        let url = try await bouncer.url(of: server.emptyDatabase())
        let journal = try await SQLJournal(url: url, settings: .patient)
        try await withThrowingTaskGroup { group in
            for number in 1...50 {
                group.addTask {
                    let claim = try await journal.claim(.sample("\(number)", token: number))
                    #expect(claim == .written)
                }
            }
            try await group.waitForAll()
        }
        #expect(try await journal.payment("50") != nil)
        #expect(try await journal.claim(.sample("other", token: 50)) != .written)
    }

    @Test(
        "S16: a pooler that gives each transaction another session is refused at the start, with the remedy",
        .timeLimit(.minutes(25)),
        arguments: [("transaction", "set PgBouncer's pool_mode to session"), ("statement", "statement pooling mode")])
    func sharedSessionsAreRefused(mode: String, reason: String) async throws {
        let server = try await PostgresServer()
        let bouncer = try PgBouncer(before: server, mode: mode)
        let url = try await bouncer.url(of: server.emptyDatabase())
        let error = await #expect(throws: PostgresError.self) {
            try await SQLJournal(url: url, settings: .patient)
        }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains(reason), "\(text)")
        let ofTables = #expect(throws: PostgresError.self) { try PostgresDriver.tables(of: url) }
        #expect(ofTables == error)
    }
}

/// A PgBouncer of one test, which ends with the last reference.
private final class PgBouncer {
    static let program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private let folder: TemporaryFolder
    private let socket: LoopbackSocket
    private let process: TestProgram

    init(before server: PostgresServer, mode: String) throws {
        let folder = try TemporaryFolder()
        let socket = try LoopbackSocket()
        let port = try #require(URLComponents(string: server.url)?.port)
        try folder.file("users", "\"payrelay\" \"\"\n")
        try folder.file(
            "pgbouncer.ini",
            """
            [databases]
            * = host=127.0.0.1 port=\(port)
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = \(socket.port)
            unix_socket_dir =
            auth_type = trust
            auth_file = \(folder.path("users"))
            pool_mode = \(mode)
            default_pool_size = 20
            """)
        // PgBouncer refuses to run as root.
        let user = getuid() == 0 ? ["/usr/sbin/runuser", "-u", "postgres", "--"] : []
        if getuid() == 0 {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path("."))
        }
        process = try TestProgram(user + [#require(Self.program), folder.path("pgbouncer.ini")])
        self.folder = folder
        self.socket = socket
    }

    deinit {
        process.signal(SIGKILL)
        _ = process.waitUntilEnd()
    }

    /// Waits until the pooler takes connections, and returns the URL of a database through it.
    func url(of database: String) async throws -> String {
        var parts = try #require(URLComponents(string: database))
        parts.port = Int(socket.port)
        let url = try #require(parts.string)
        while true {
            do {
                _ = try PostgresSession.connect(to: PostgresURL(url), until: .now + .seconds(5))
                return url
            } catch {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }
}
