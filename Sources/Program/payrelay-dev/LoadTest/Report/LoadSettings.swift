import FoundationEssentials
import Glibc
import Observability
import PayrelayPrimitives

/// The settings that are needed to repeat a run.
struct LoadSettings: Sendable {
    /// The address under load.
    var target: String
    /// Whether the relay and the sandbox were started for the run, as separate processes.
    var ownServers: Bool
    /// The names of the gateways, in the order of their turns.
    var gateways: [String]
    /// The rate in payments per second.
    var rate: Double
    var duration: Duration
    var connections: Int
    /// The folder with the tokens; `nil` if tokens were minted.
    var tokenFolder: String?
    /// How long the sandbox took for each request; `nil` for no delay.
    var gatewayLatency: Duration?
    /// How long it took to prepare the payments before the clock started.
    var preparation: Duration

    init(
        target: String, ownServers: Bool, gateways: [String], rate: Double, duration: Duration, connections: Int,
        tokenFolder: String?, gatewayLatency: Duration? = nil, preparation: Duration
    ) {
        self.target = target
        self.ownServers = ownServers
        self.gateways = gateways
        self.rate = rate
        self.duration = duration
        self.connections = connections
        self.tokenFolder = tokenFolder
        self.gatewayLatency = gatewayLatency
        self.preparation = preparation
    }

    /// The settings as names and values, for people.
    var rows: [(String, String)] {
        [
            (
                "target",
                target + (ownServers ? " (started for this run, with the sandbox and a SQLite journal)" : "")
            ),
            (
                "gateways",
                gateways.joined(separator: ", ") + (gateways.count > 1 ? ", one payment each in turn" : "")
            ),
            ("rate", "\(rate.text(decimals: rate.rounded() == rate ? 0 : 1)) payments/s, open loop"),
            ("duration", duration.text), ("connections", "at most \(connections)"),
            ("gateway latency", gatewayLatency.map { "\($0.text) for each request" } ?? "as fast as it can"),
            ("tokens", (tokenFolder.map { "from \($0)" } ?? "minted") + ", ready in \(preparation.text)"),
        ]
    }
}

/// The machine on which a run was made.
struct Machine: Sendable {
    var cpu: String
    var cores: Int
    /// The memory in bytes.
    var memory: UInt64
    var system: String

    static func current() -> Machine {
        let information = ProcessInfo.processInfo
        var name = utsname()
        uname(&name)
        let system = [Self.text(&name.sysname), Self.text(&name.release), Self.text(&name.machine)]
        return Machine(
            cpu: cpuName() ?? "unknown", cores: information.activeProcessorCount,
            memory: information.physicalMemory, system: system.joined(separator: " "))
    }

    var rows: [(String, String)] {
        [
            ("CPU", "\(cpu), \(cores) \(cores == 1 ? "core" : "cores")"),
            ("memory", "\((Double(memory) / 1_073_741_824).text(decimals: 1)) GiB"), ("system", system),
        ]
    }

    private static func cpuName() -> String? {
        guard let data = FileManager.default.contents(atPath: "/proc/cpuinfo") else { return nil }
        let line = String(decoding: data, as: UTF8.self).lines.first { $0.begins(with: "model name") }
        return line?.cut(at: ":").after.map { String($0.trimmedOfSpaces) }
    }

    /// Returns a field of `uname`, which ends at a NUL.
    private static func text<Field>(_ field: inout Field) -> String {
        withUnsafeBytes(of: &field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
