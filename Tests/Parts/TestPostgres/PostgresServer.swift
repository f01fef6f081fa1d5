import Foundation
import TestPrograms

/// A PostgreSQL server for tests, in a temporary folder and on loopback. It ends with the test process, even if that process is
/// killed.
public final class PostgresServer: Sendable {
    /// The server that tests share unless they stop it, or the existing server that `PAYRELAY_TEST_POSTGRES_URL` names.
    public static let shared = Result { try existing ?? PostgresServer(ServerProcess()) }

    public static var isAvailable: Bool { existing != nil || programs != nil }
    public static var canBeStarted: Bool { programs != nil }

    /// The server's URL, without options of the connection.
    public let url: String
    private let process: ServerProcess?

    private init(existing url: String) {
        self.url = url
        process = nil
    }

    private init(_ process: ServerProcess) {
        url = process.url
        self.process = process
    }

    /// Starts a new server.
    public init() async throws {
        let process = try await onThread { try ServerProcess() }
        url = process.url
        self.process = process
    }

    public func stop() async throws { try await command("stop -m fast") }
    public func start() async throws { try await command("start") }

    /// Makes a schema.
    ///
    /// - Returns: The URL of connections that see only this schema.
    public func emptySchema() throws -> String {
        let name = "payrelay_\(UUID().uuidString.lowercased().filter { $0 != "-" })"
        try shell("psql '\(url)' -qc 'CREATE SCHEMA \(name)'")
        return url + (url.contains("?") ? "&" : "?") + "options=-c%20search_path%3D\(name)"
    }

    /// Makes a database. The server's reports about its connections then concern only them.
    ///
    /// - Returns: The database's URL.
    public func emptyDatabase() throws -> String {
        let name = "payrelay_\(UUID().uuidString.lowercased().filter { $0 != "-" })"
        try shell("psql '\(url)' -qc 'CREATE DATABASE \(name)'")
        guard var parts = URLComponents(string: url) else { throw Trouble("the server's URL is none") }
        parts.path = "/\(name)"
        return parts.string ?? url
    }

    private func command(_ command: String) async throws {
        guard let process else { throw Trouble("the server is not ours to \(command)") }
        try await onThread { try process.command(command) }
    }

    /// The server's process, which ends with the last reference.
    private final class ServerProcess: Sendable {
        let url: String
        /// A socket that reserves the port before the server listens and while it is stopped: PostgreSQL cannot listen at port
        /// 0 and print its port.
        private let socket: LoopbackSocket
        /// The program that ends the server when its input ends.
        private let program: TestProgram
        private let commands: FileHandle
        private let answers: FileHandle

        init() throws {
            guard let programs = PostgresServer.programs else {
                throw Trouble("PostgreSQL's server programs are not installed")
            }
            let (socket, input, output) = (try LoopbackSocket(), Pipe(), Pipe())
            program = try TestProgram(
                ["/bin/sh", "-c", PostgresServer.script, "sh", programs, "\(socket.port)"], input: input,
                output: .pipe(output), errors: .file(.standardError))
            url = "postgres://payrelay@127.0.0.1:\(socket.port)/postgres"
            self.socket = socket
            commands = input.fileHandleForWriting
            answers = output.fileHandleForReading
            try command("start")
        }

        deinit {
            Thread.detachNewThread { [commands, program] in
                try? commands.close()
                _ = program.waitUntilEnd()
            }
        }

        /// Runs a command on the caller's thread, which takes seconds.
        func command(_ command: String) throws {
            try commands.write(contentsOf: Data("\(command)\n".utf8))
            guard answers.availableData == Data("done\n".utf8) else { throw Trouble("the server did not \(command)") }
        }
    }

    /// The reason why there is no server.
    struct Trouble: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    private static let existing = ProcessInfo.processInfo.environment["PAYRELAY_TEST_POSTGRES_URL"]
        .map(PostgresServer.init(existing:))

    /// The folder in which Debian's `postgresql`, or the package on the path, keeps `initdb` and `pg_ctl`.
    private static let programs: String? = {
        let found = try? shell("ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1; dirname $(command -v pg_ctl)")
        return found?.split(separator: "\n").map(String.init).first {
            FileManager.default.isExecutableFile(atPath: "\($0)/initdb")
        }
    }()

    /// The server refuses to run as root.
    private static let asServer = getuid() == 0 ? "runuser -u postgres --" : ""

    /// A script that makes a server and runs `pg_ctl` with each line of its input. The input ends with the test process, and
    /// then the server and its folder are removed.
    private static let script = """
        trap '' INT TERM HUP
        cd /
        folder=$(mktemp -d /tmp/payrelay-postgres.XXXXXX)
        [ "$(id -u)" != 0 ] || chown postgres "$folder"
        programs=$1
        control() { \(asServer) "$programs/pg_ctl" -D "$folder/data" -l "$folder/log" -w "$@" >> "$folder/setup" 2>&1; }
        \(asServer) "$1/initdb" -D "$folder/data" -U payrelay -A trust -E UTF8 --locale=C --no-sync > "$folder/setup" 2>&1
        echo "port = $2
        listen_addresses = '127.0.0.1'
        unix_socket_directories = '$folder'
        max_connections = 600
        fsync = off" >> "$folder/data/postgresql.conf"
        while read -r command; do
          if control $command; then echo done; else cat "$folder/setup" >&2; echo failed; fi
        done
        control stop -m immediate
        rm -rf "$folder"
        """
}
