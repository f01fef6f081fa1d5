import JournalContract
import Synchronization
import TestPrograms

/// Every choice of one simulation, drawn in turn from its seed.
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

    /// From 0 up to, not including, 1.
    func fraction() -> Double {
        generator.withLock { Double.random(in: 0..<1, using: &$0) }
    }

    func duration(in milliseconds: ClosedRange<Int>) -> Duration {
        .milliseconds(number(in: milliseconds))
    }

    /// Of any order of magnitude up to the longest: what takes a second meets other things than what takes a minute.
    func duration(upTo longest: Duration) -> Duration {
        let milliseconds = Int(longest.components.seconds) * 1_000
        return duration(in: 0...(milliseconds >> number(in: 0...8)))
    }
}
