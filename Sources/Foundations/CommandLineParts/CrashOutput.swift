import Foundation
import Observability

/// Output of the process when it crashes.
package enum CrashOutput {
    private static let signals = [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

    /// By itself the Swift runtime answers a crash with a backtrace that shows registers, and the memory to which they point: a
    /// token or a phrase may be there. It reads `SWIFT_BACKTRACE` before any code of this program runs, so that the setting cannot
    /// be made here. Where the operator has made none, the signals get the system's own handling back: the process ends by the
    /// same signal, and only the message of a fatal error is printed.
    ///
    /// docker/Dockerfile makes one that shows names and places alone.
    package static func omitMemory() {
        guard ProcessInfo.processInfo.environment["SWIFT_BACKTRACE"] == nil else { return }
        for number in signals { signal(number, SIG_DFL) }
    }

    /// After that, the lines that were logged before a crash are written before the process ends.
    package static func keepTheLog() { LogQueue.flushAtTheEnd(andAfter: signals) }
}
