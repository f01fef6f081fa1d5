import Measuring

/// The time that a payment takes longer through the relay than straight to the sandbox, at a constant rate that does not wait
/// for answers.
@MainActor struct AddedLatency {
    /// Payments a second.
    static let rate = 300.0
    private var direct: [Load.Result] = []
    private var relayed: [Load.Result] = []

    init(_ program: String, _ purchases: Purchases, rounds: Int) throws {
        for round in 1...rounds {
            progress("latency, round \(round) of \(rounds)")
            let sandbox = try Sandbox(program)
            direct.append(try Self.run(purchases.toFort(), Sandbox.load(to: sandbox.port, connections: 64)))
            sandbox.server.stop()
            let relays = try Relays(program, journal: .sqlite)
            relayed.append(try Self.run(purchases.toRelay(), relays.load(connections: 64)))
        }
    }

    private static func run(_ requests: Requests, _ load: Load) throws -> Load.Result {
        // The first second is for warming up.
        let warmUp = min(Int(rate), requests.count / 2)
        try load.run(requests[0..<warmUp], rate: rate)
        return try load.run(requests[warmUp..<requests.count], rate: rate)
    }

    func rows() -> [Row] { [row("p50", 0.5, limit: 1.5), row("p99", 0.99, limit: 6)] }

    /// - Parameter limit: The limit in milliseconds.
    private func row(_ name: String, _ share: Double, limit: Double) -> Row {
        let (direct, relayed) = (direct.map { $0.milliseconds(at: share) }, relayed.map { $0.milliseconds(at: share) })
        let added = median(zip(relayed, direct).map { $0 - $1 })
        return Row(
            "**latency** \(name) at \(Int(Self.rate))/s, relay against the sandbox alone; added \(added.milliseconds)",
            median(relayed).milliseconds, beside: median(direct).milliseconds,
            ratio: median(zip(relayed, direct).map { $0 / $1 })
        ).wants(added < limit, "added < \(limit) ms")
    }
}
