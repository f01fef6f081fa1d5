import CLoad
import Foundation
import Measuring
import TestPostgres
import TestPrograms

/// A sandbox and the relays before it, each in a separate process. The books and the journal are empty.
@MainActor final class Relays {
    /// The journal to which the relays write before they send anything.
    enum Journal {
        case sqlite
        /// All relays write to one server.
        case postgres(PostgresServer)
    }

    let sandbox: Sandbox
    let relays: [Server]
    let ports: [UInt16]
    private let folder: TemporaryFolder

    init(_ program: String, journal: Journal, count: Int = 1) throws {
        let (sandbox, folder) = (try Sandbox(program), try TemporaryFolder())
        let place =
            switch journal {
            case .sqlite: "sqlite:\(folder.path("journal.sqlite"))"
            case .postgres(let server): try server.emptySchema()
            }
        var (relays, ports): ([Server], [UInt16]) = ([], [])
        for _ in 0..<count {
            let (port, adminPort) = (load_free_port(), load_free_port())
            let settings = [
                "PAYRELAY_FORT_ENDPOINT": "http://127.0.0.1:\(sandbox.port)/FortAPI/paymentApi",
                "PAYRELAY_HTTP_PORT": "\(port)", "PAYRELAY_ADMIN_PORT": "\(adminPort)", "PAYRELAY_JOURNAL": place,
                "PAYRELAY_TOKEN_FRESHNESS_SECONDS": "\(Sandbox.tokenLifetime)",
                // These limits fit the measurement with the most connections. Half of the requests may be at FORT, and the
                // others wait for a slot.
                "PAYRELAY_HTTP_REQUESTS_IN_FLIGHT_MAX": "1000", "PAYRELAY_FORT_REQUESTS_IN_FLIGHT_MAX": "500",
            ].merging(SandboxAccount.settings) { $1 }
            relays.append(
                try Server([program, "serve"], environment: settings, probe: (port: adminPort, path: "/ready")))
            ports.append(port)
        }
        (self.sandbox, self.relays, self.ports, self.folder) = (sandbox, relays, ports, folder)
    }

    /// Opens a load of payments that are captured.
    func load(connections: Int) -> Load { Load(to: ports, connections: connections, expecting: #""captured""#) }

    /// The CPU time of the relays, without the sandbox's.
    var cpuSeconds: Double { get throws { try relays.map { try $0.cpuSeconds }.reduce(0, +) } }
}

/// A sandbox of FORT, to which payments are sent.
@MainActor final class Sandbox {
    let server: Server
    let port = load_free_port()
    /// The lifetime of a token in seconds: longer than any run takes.
    static let tokenLifetime = 86_400

    init(_ program: String) throws {
        server = try Server(
            [program + "-dev", "sandbox", "--port", "\(port)", "--token-lifetime", "\(Self.tokenLifetime)s"],
            probe: (port: port, path: "/_sandbox/faults"))
    }

    /// Opens a load of FORT's own requests, to the sandbox or to a proxy before it.
    static func load(to port: UInt16, connections: Int) -> Load {
        Load(to: [port], connections: connections, expecting: #""14000""#)
    }
}
