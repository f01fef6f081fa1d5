import Measuring
import TestPostgres

/// The highest throughput of payments from 64 callers, each of whom waits for an answer before the next payment.
///
/// Load generator, relay and sandbox share the machine's cores. The compared subjects take turns in rounds.
@MainActor struct Saturation {
    nonisolated static let connections = 64

    /// The result of one subject in one round.
    struct Run {
        /// Answers a second.
        let rate: Double
        /// CPU time per payment, in seconds, of the whole process before the sandbox.
        var cpuTime = 0.0
        var residentBytesMax = 0
    }

    private(set) var sandboxAlone: [Run] = []
    private(set) var nginx: [Run] = []
    private(set) var relayWithSQLite: [Run] = []
    private(set) var relayWithPostgres: [Run] = []

    init(_ program: String, _ purchases: Purchases, rounds: Int, postgres: PostgresServer?) throws {
        for round in 1...rounds {
            progress("saturation, round \(round) of \(rounds)")
            sandboxAlone.append(try Self.sandboxAlone(program, purchases))
            nginx.append(try Self.nginx(program, purchases))
            relayWithSQLite.append(try Self.relay(program, purchases, .sqlite))
            if let postgres { relayWithPostgres.append(try Self.relay(program, purchases, .postgres(postgres))) }
        }
    }

    private static func sandboxAlone(_ program: String, _ purchases: Purchases) throws -> Run {
        let sandbox = try Sandbox(program)
        let load = Sandbox.load(to: sandbox.port, connections: connections)
        return Run(rate: try load.runWarm(purchases.toFort()) { 0 }.rate)
    }

    static func nginx(
        _ program: String, _ purchases: Purchases, paddedTo length: Int = 0
    ) throws -> Run {
        let sandbox = try Sandbox(program)
        let nginx = try Nginx(.pass(to: sandbox.port))
        let load = Sandbox.load(to: nginx.port, connections: connections)
        let (rate, time) = try load.runWarm(purchases.toFort(paddedTo: length)) { try nginx.server.cpuSeconds }
        return Run(rate: rate, cpuTime: time)
    }

    static func relay(
        _ program: String, _ purchases: Purchases, _ journal: Relays.Journal, count: Int = 1,
        connections: Int = connections, paddedTo length: Int = 0
    ) throws -> Run {
        let relays = try Relays(program, journal: journal, count: count)
        let load = relays.load(connections: connections)
        let (rate, time) = try load.runWarm(purchases.toRelay(paddedTo: length)) { try relays.cpuSeconds }
        let residentBytesMax = try relays.relays.map { try $0.residentBytesMax }.max() ?? 0
        return Run(rate: rate, cpuTime: time, residentBytesMax: residentBytesMax)
    }
}

extension Load {
    /// Sends all requests. The clock starts after the first tenth, when connections, caches and lazy tables exist.
    ///
    /// - Parameter cpuSeconds: Returns the CPU time that the measured process has used so far.
    /// - Returns: Answers a second, and the CPU time of the measured process for each answer.
    fileprivate func runWarm(
        _ requests: Requests, _ cpuSeconds: () throws -> Double
    ) throws -> (rate: Double, cpuTime: Double) {
        let warmUp = requests.count / 10
        try run(requests[0..<warmUp])
        let before = try cpuSeconds()
        let result = try run(requests[warmUp..<requests.count])
        return (result.rate, (try cpuSeconds() - before) / Double(result.latencies.count))
    }
}

extension Saturation {
    /// Returns the ratio of the rates, and the ratio of the CPU times to the limit of each round.
    func rows(_ limit: Limit) -> [Row] {
        let limits = nginx.map { $0.cpuTime + limit.verification + limit.writes }
        let relay = relayWithSQLite
        let timeRatio = median(zip(relay, limits).map { $0.cpuTime / $1 })
        var rows = [
            Row(
                "**CPU per payment**, relay with SQLite, against the limit",
                median(relay.map(\.cpuTime)).microseconds,
                beside: median(limits).microseconds, ratio: timeRatio, atMost: 2),
            Row("limit: nginx `proxy_pass`", median(nginx.map(\.cpuTime)).microseconds),
            Row("limit: one P-256 verification", limit.verification.microseconds),
            Row("limit: two SQLite writes in commits of \(Limit.paymentsInCommit)", limit.writes.microseconds),
        ]
        if !relayWithPostgres.isEmpty {
            rows.append(
                Row(
                    "CPU per payment, PostgreSQL against SQLite",
                    median(relayWithPostgres.map(\.cpuTime)).microseconds,
                    beside: median(relay.map(\.cpuTime)).microseconds,
                    ratio: Self.ratio(relayWithPostgres, relay, \.cpuTime)))
        }
        rows.append(throughput("**throughput**, relay with SQLite, against nginx", relay, nginx))
        if !relayWithPostgres.isEmpty {
            rows.append(throughput("throughput, relay with PostgreSQL, against nginx", relayWithPostgres, nginx))
        }
        rows.append(throughput("throughput, relay with SQLite, against the sandbox alone", relay, sandboxAlone))
        let residentBytesMax = relay.map(\.residentBytesMax).max() ?? 0
        rows.append(
            Row("**memory** at \(Self.connections) connections, the most", residentBytesMax.mebibytes)
                .wants(residentBytesMax < 80 * 1_048_576, "< 80 MiB"))
        return rows
    }

    private func throughput(_ what: String, _ relay: [Run], _ other: [Run]) -> Row {
        Row(
            what, median(relay.map(\.rate)).perSecond, beside: median(other.map(\.rate)).perSecond,
            ratio: Self.ratio(relay, other, \.rate))
    }

    private static func ratio(_ some: [Run], _ others: [Run], _ value: KeyPath<Run, Double>) -> Double {
        median(zip(some, others).map { $0[keyPath: value] / $1[keyPath: value] })
    }
}
