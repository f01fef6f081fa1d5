import Measuring

/// Two builds of payrelay against each other at saturation, in turns of a few hundred milliseconds, so that both have the same of
/// the machine's good and bad moments.
@MainActor struct Turns {
    /// Processor time per payment, in seconds, in each turn.
    private(set) var before: [Double] = []
    private(set) var after: [Double] = []

    /// Payments in a turn: enough for `/proc`, which counts in hundredths of a second.
    private static let length = 1_000

    init(_ old: String, _ new: String, _ purchases: Purchases) throws {
        let requests = purchases.toRelay()
        let relays = try [old, new].map { try Relays($0, journal: .sqlite) }
        let loads = relays.map { $0.load(connections: Saturation.connections) }
        for start in stride(from: 0, to: requests.count - Self.length + 1, by: Self.length) {
            progress("turn \(start / Self.length + 1) of \(requests.count / Self.length)")
            let times = try zip(relays, loads).map { relay, load in
                let timeBefore = try relay.processorSeconds
                try load.run(requests[start..<(start + Self.length)])
                return (try relay.processorSeconds - timeBefore) / Double(Self.length)
            }
            // In the first both fill their caches.
            guard start > 0 else { continue }
            before.append(times[0])
            after.append(times[1])
        }
    }

    func rows() -> [Row] {
        [
            Row(
                "CPU per payment, the new build against the old, \(after.count) turns", median(after).microseconds,
                beside: median(before).microseconds, ratio: median(zip(after, before).map { $0 / $1 }))
        ]
    }
}
