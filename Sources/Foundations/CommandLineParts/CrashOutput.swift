import Foundation
import Observability

/// The output of the process when it crashes.
package enum CrashOutput {
    private static let signals = [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

    /// Turns off the Swift runtime's backtrace unless the operator has configured it.
    ///
    /// By default the backtrace shows registers and the memory that they point to, which may contain a token or a
    /// phrase. The runtime reads `SWIFT_BACKTRACE` before any code of this program runs, so the setting cannot be
    /// changed here. If the operator has not set it, the system's default handling of the signals is restored:
    /// the process ends with the same signal, and only the message of a fatal error is printed.
    ///
    /// docker/Dockerfile sets the variable so that a backtrace shows only names and source locations.
    package static func omitMemory() {
        guard ProcessInfo.processInfo.environment["SWIFT_BACKTRACE"] == nil else { return }
        for number in signals { signal(number, SIG_DFL) }
    }

    /// Makes the process write the lines that were logged before a crash. Must be called after ``omitMemory()``.
    package static func keepTheLog() { LogQueue.flushAtTheEnd(andAfter: signals) }
}
