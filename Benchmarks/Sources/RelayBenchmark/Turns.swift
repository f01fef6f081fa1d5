import Measuring
import TestPostgres

/// A comparison of two builds of payrelay at saturation. They take turns of a few hundred milliseconds, so that good and bad
/// moments of the machine fall on both alike.
@MainActor struct Turns {
    private struct Turn {
        /// CPU time per payment, in seconds.
        let time: Double
        /// Payments a second.
        let rate: Double
    }

    private let journal: String
    private var before: [Turn] = []
    private var after: [Turn] = []

    /// The number of payments in a turn: enough for `/proc`, which counts in hundredths of a second.
    private static let length = 1_000

    /// - Parameter postgres: The PostgreSQL server, or `nil` for SQLite.
    init(_ old: String, _ new: String, _ purchases: Purchases, postgres: PostgresServer?) throws {
        journal = postgres == nil ? "SQLite" : "PostgreSQL"
        let requests = purchases.toRelay()
        let relays = try [old, new].map {
            try Relays($0, journal: postgres.map { Relays.Journal.postgres($0) } ?? .sqlite)
        }
        let loads = relays.map { $0.load(connections: Saturation.connections) }
        for start in stride(from: 0, to: requests.count - Self.length + 1, by: Self.length) {
            progress("\(journal), turn \(start / Self.length + 1) of \(requests.count / Self.length)")
            let turns = try zip(relays, loads).map { relay, load in
                let timeBefore = try relay.cpuSeconds
                let result = try load.run(requests[start..<(start + Self.length)])
                return Turn(time: (try relay.cpuSeconds - timeBefore) / Double(Self.length), rate: result.rate)
            }
            // In the first turns both builds fill their caches.
            guard start > 0 else { continue }
            before.append(turns[0])
            after.append(turns[1])
        }
    }

    func rows() -> [Row] {
        [
            Row(
                "CPU per payment with \(journal), the new build against the old, \(after.count) turns",
                median(after.map(\.time)).microseconds, beside: median(before.map(\.time)).microseconds,
                ratio: median(zip(after, before).map { $0.time / $1.time })),
            Row(
                "throughput with \(journal), the new build against the old", median(after.map(\.rate)).perSecond,
                beside: median(before.map(\.rate)).perSecond,
                ratio: median(zip(after, before).map { $0.rate / $1.rate })),
        ]
    }
}
