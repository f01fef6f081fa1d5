import CLoad
import Foundation
import Measuring
import TestPrograms

/// A comparison of the relay with another relay (the peer) that does the same work. Both take turns before a gateway that costs
/// little and may be slow.
///
/// The peer takes the arguments `PORT GATEWAY-URL ROOT.pem JOURNAL` and answers with the gateway's answer. The gateway takes
/// `PORT DELAY`.
@MainActor struct Peer {
    /// A load under which both relays are measured.
    private struct Condition {
        let name: String
        /// Payments a second. If `nil`, as many as the connections carry.
        let rate: Double?
        let connections: Int
        /// The time that the gateway takes for an answer, in Go's notation.
        var delay = "0s"
        /// The number of payments in a turn, and the number of turns of each relay after the first turn, which fills the
        /// caches.
        let turn: Int
        let turns: Int
    }

    private static let conditions = [
        Condition(name: "64 connections", rate: nil, connections: 64, turn: 800, turns: 8),
        Condition(name: "300/s", rate: 300, connections: 64, turn: 900, turns: 6),
        Condition(name: "50/s", rate: 50, connections: 64, turn: 300, turns: 3),
        Condition(name: "gateway 1.5 s, 100/s", rate: 100, connections: 512, delay: "1500ms", turn: 700, turns: 2),
        Condition(name: "gateway 1.5 s, 300/s", rate: 300, connections: 1_024, delay: "1500ms", turn: 2_100, turns: 2),
        Condition(
            name: "gateway 1.5 s, 1000/s", rate: 1_000, connections: 2_500, delay: "1500ms", turn: 6_000, turns: 1),
    ]

    /// The number of payments that the longest condition needs.
    static let payments = conditions.map { $0.turn * ($0.turns + 1) }.max() ?? 0

    /// The cost of one turn of one relay.
    private struct Turn {
        /// CPU time of a payment, in seconds.
        let time: Double
        let result: Load.Result
        let residentBytes: Int
    }

    private(set) var rows: [Row] = []

    init(_ program: String, peer: String, gateway: String, _ purchases: Purchases) throws {
        // Each connection is one descriptor in this process and two in the measured relay.
        var limit = rlimit(rlim_cur: 8_192, rlim_max: 8_192)
        guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { throw Steps.Untrue() }
        let requests = purchases.toRelay()
        for condition in Self.conditions {
            let gatewayPort = load_free_port()
            let slow = try Server([gateway, "\(gatewayPort)", condition.delay], probe: (gatewayPort, "/"))
            defer { slow.stop() }
            let url = "http://127.0.0.1:\(gatewayPort)/FortAPI/paymentApi"
            let folder = try TemporaryFolder()
            let ports = [load_free_port(), load_free_port()]
            let adminPort = load_free_port()
            let settings = SandboxAccount.settings.merging([
                "PAYRELAY_FORT_ENDPOINT": url, "PAYRELAY_FORT_ACCESS_CODE": "zx0IPmPy5jp1vAz8Kpg7",
                "PAYRELAY_FORT_MERCHANT_IDENTIFIER": "CycHZxVj", "PAYRELAY_FORT_REQUEST_PHRASE": "REQ-PHRASE",
                "PAYRELAY_FORT_RESPONSE_PHRASE": "RES-PHRASE", "PAYRELAY_HTTP_PORT": "\(ports[0])",
                "PAYRELAY_ADMIN_PORT": "\(adminPort)", "PAYRELAY_JOURNAL": "sqlite:\(folder.path("journal.sqlite"))",
                "PAYRELAY_TOKEN_FRESHNESS_SECONDS": "\(Sandbox.tokenLifetime)",
            ]) { $1 }
            let anchor = settings["PAYRELAY_TOKEN_TRUST_ANCHOR_FILE", default: ""]
            let logged = #"exec "$0" "$@" >"\#(folder.path("peer.log"))""#
            let servers = [
                try Server([program, "serve"], environment: settings, probe: (adminPort, "/ready")),
                try Server(
                    ["sh", "-c", logged, peer, "\(ports[1])", url, anchor, folder.path("peer.sqlite")],
                    environment: ["TOKEN_FRESHNESS_SECONDS": "\(Sandbox.tokenLifetime)"], probe: (ports[1], "/"),
                    status: 404),
            ]
            defer { servers.forEach { $0.stop() } }
            var turns: [[Turn]] = [[], []]
            for turn in 0...condition.turns {
                progress("\(condition.name), turn \(turn) of \(condition.turns)")
                for (index, server) in servers.enumerated() {
                    // Connections are opened anew for each turn: a server closes connections that are idle during the other's
                    // turn.
                    let load = Load(to: [ports[index]], connections: condition.connections, expecting: #""14000""#)
                    let before = try server.cpuSeconds
                    let part = requests[(turn * condition.turn)..<((turn + 1) * condition.turn)]
                    let result = try load.run(part, rate: condition.rate)
                    let time = (try server.cpuSeconds - before) / Double(condition.turn)
                    turns[index].append(Turn(time: time, result: result, residentBytes: try server.residentBytesMax))
                }
            }
            rows += Self.rows(condition.name, turns.map { Array($0.dropFirst()) })
        }
    }

    private static func rows(_ name: String, _ turns: [[Turn]]) -> [Row] {
        func row(
            _ what: String, _ value: (Turn) -> Double, _ text: (Double) -> String
        ) -> Row {
            let (relay, peer) = (turns[0].map(value), turns[1].map(value))
            return Row(
                "\(name): \(what)", text(median(relay)), beside: text(median(peer)),
                ratio: median(zip(relay, peer).map { $0 / $1 }), atMost: 1)
        }
        return [
            row("CPU of a payment", \.time, \.microseconds),
            row("p50", { $0.result.milliseconds(at: 0.5) }, \.milliseconds),
            row("p99", { $0.result.milliseconds(at: 0.99) }, \.milliseconds),
            row("memory at most", { Double($0.residentBytes) }, { Int($0).mebibytes }),
        ]
    }
}
