import FoundationEssentials

/// When to ask about which payment: at once, then with pauses that double from one second to a minute, each shortened by
/// up to a quarter by chance so that many payments do not ask in step.
struct ReconciliationSchedule: Sendable {
    static let longestPauseSeconds = 60.0

    private struct Turn {
        var timesAsked = 0
        var next: Date
    }

    private var turns: [String: Turn] = [:]
    /// Drawn for each pause, and multiplied with it.
    private let jitter: @Sendable () -> Double

    init(jitter: @escaping @Sendable () -> Double = { .random(in: 0.75...1) }) {
        self.jitter = jitter
    }

    func isDue(_ reference: String, at moment: Date) -> Bool {
        turns[reference].map { $0.next <= moment } ?? true
    }

    mutating func asked(_ reference: String, at moment: Date) {
        var turn = turns[reference] ?? Turn(next: moment)
        let pause = min(Self.longestPauseSeconds, Double(1 << min(turn.timesAsked, 6)))
        turn.timesAsked += 1
        turn.next = moment.addingTimeInterval(pause * jitter())
        turns[reference] = turn
    }

    /// Forgets the payments that are no longer open.
    mutating func keepOnly(_ references: [String]) {
        let open = Set(references)
        turns = turns.filter { open.contains($0.key) }
    }
}
