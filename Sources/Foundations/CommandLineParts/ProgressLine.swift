import Foundation
import Synchronization

/// Prints progress on standard error: one line that changes on a terminal, one line after another elsewhere.
package final class ProgressLine: Sendable {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    /// When the last line of mere progress was written.
    private let lastWritten = Mutex<ContinuousClock.Instant?>(nil)

    package init() {}

    /// Whether a second has passed since it last was due.
    package func isDue() -> Bool {
        lastWritten.withLock { last in
            if let last, last.duration(to: .now) < .seconds(1) { return false }
            last = .now
            return true
        }
    }

    /// - Parameter stays: whether the next line is written below it, on a terminal too.
    package func write(_ line: String, stays: Bool) {
        let text = isTerminal ? "\r\u{1B}[K\(line)\(stays ? "\n" : "")" : "\(line)\n"
        FileHandle.standardError.write(Data(text.utf8))
    }
}

/// The progress of work whose amount is known: how much is done, how fast it goes, and how long the rest takes.
package final class WorkProgress: Sendable {
    private struct State {
        var work = ""
        var start = ContinuousClock.now
        var from = 0
    }

    private let line = ProgressLine()
    private let state = Mutex(State())

    package init() {}

    /// - Parameters:
    ///   - work: what is done; another one begins anew.
    ///   - unit: of what is counted, in the plural.
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
