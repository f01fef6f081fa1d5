import JournalContract
import Synchronization
import TestPrograms

/// The choices of one simulation, drawn in turn from its seed.
final class Chance: Sendable {
    private let generator: Mutex<SeededGenerator>

    init(seed: UInt64) {
        generator = Mutex(SeededGenerator(seed: seed))
    }

    func number(in range: ClosedRange<Int>) -> Int {
        generator.withLock { Int.random(in: range, using: &$0) }
    }

    func happens(_ probability: Double) -> Bool {
        probability > 0 && fraction() < probability
    }

    /// Returns a number from 0 to 1, not including 1.
    func fraction() -> Double {
        generator.withLock { Double.random(in: 0..<1, using: &$0) }
    }

    func duration(in milliseconds: ClosedRange<Int>) -> Duration {
        .milliseconds(number(in: milliseconds))
    }

    /// Returns a duration of any order of magnitude up to the longest: events that take a second meet other events than events
    /// that take a minute.
    func duration(upTo longest: Duration) -> Duration {
        let milliseconds = Int(longest.components.seconds) * 1_000
        return duration(in: 0...(milliseconds >> number(in: 0...8)))
    }
}
