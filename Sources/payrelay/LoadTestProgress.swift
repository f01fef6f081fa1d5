import Foundation
import LoadTest
import Synchronization

/// Tells on standard error how a load test goes: one line that changes, or, where nobody watches a terminal, one line after
/// another.
final class LoadTestProgress: Sendable {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    /// When the last line was written that only tells how far something is.
    private let lastTold = Mutex<ContinuousClock.Instant?>(nil)

    func tell(_ progress: LoadSession.Progress) {
        switch progress {
        case .preparing(let count, let all):
            let isLast = count == all
            if isLast || isDue() { write("minting tokens: \(count) of \(all)", stays: isLast) }
        case .running(let recording): write(recording.progressLine, stays: false)
        case .step(let step): write("\(step)", stays: true)
        case .auditing: write("reading the books", stays: true)
        }
    }

    private func isDue() -> Bool {
        lastTold.withLock { last in
            if let last, last.duration(to: .now) < .seconds(1) { return false }
            last = .now
            return true
        }
    }

    private func write(_ line: String, stays: Bool) {
        let text = isTerminal ? "\r\u{1B}[K\(line)\(stays ? "\n" : "")" : "\(line)\n"
        FileHandle.standardError.write(Data(text.utf8))
    }
}
