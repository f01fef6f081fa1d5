import Foundation
import LoadTest
import Synchronization

/// Prints the progress of a load test on standard error: one line that changes on a terminal, one line after another elsewhere.
final class LoadTestProgress: Sendable {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    /// When the last line of mere progress was written.
    private let lastWritten = Mutex<ContinuousClock.Instant?>(nil)

    func show(_ progress: LoadSession.Progress) {
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
        lastWritten.withLock { last in
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
