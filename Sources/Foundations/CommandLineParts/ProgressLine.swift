import Foundation
import Synchronization

/// Prints progress on standard error: on a terminal as one line that is overwritten, otherwise as successive
/// lines.
package final class ProgressLine: Sendable {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    /// When a line was last due.
    private let lastWritten = Mutex<ContinuousClock.Instant?>(nil)

    package init() {}

    /// Returns whether a second has passed since this method last returned true.
    package func isDue() -> Bool {
        lastWritten.withLock { last in
            if let last, last.duration(to: .now) < .seconds(1) { return false }
            last = .now
            return true
        }
    }

    /// Writes a line.
    ///
    /// - Parameter stays: whether the line stays on a terminal, so that the next one is written below it.
    package func write(_ line: String, stays: Bool) {
        let text = isTerminal ? "\r\u{1B}[K\(line)\(stays ? "\n" : "")" : "\(line)\n"
        FileHandle.standardError.write(Data(text.utf8))
    }
}

/// The progress of work whose total amount is known: how much is done, the rate, and the time that the rest
/// takes.
package final class WorkProgress: Sendable {
    private struct State {
        var work = ""
        var start = ContinuousClock.now
        var from = 0
    }

    private let line = ProgressLine()
    private let state = Mutex(State())

    package init() {}

    /// Shows the progress, at most once a second.
    ///
    /// - Parameters:
    ///   - work: the name of the work. A different name starts a new measurement.
    ///   - unit: the unit that is counted, in the plural.
    package func show(_ work: String, done: Int, of all: Int, _ unit: String) {
        let (start, from) = state.withLock { state in
            if state.work != work { state = State(work: work, from: done) }
            return (state.start, state.from)
        }
        guard line.isDue() || done >= all else { return }
        let seconds = start.duration(to: .now) / .seconds(1)
        let rate = seconds > 0 ? Double(done - from) / seconds : 0
        var text = "\(work): \(done) of \(all) \(unit)"
        if all > 0 { text += ", \(Int(min(100, Double(done) * 100 / Double(all)))) %" }
        if rate >= 1 {
            text += ", \(Int(rate)) a second"
            if done < all { text += ", \(Int((Double(all - done) / rate).rounded(.up))) s left" }
        }
        line.write(text, stays: done >= all)
    }
}
