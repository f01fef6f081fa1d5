import Foundation

#if canImport(PassKit) && !os(macOS)
// On Linux, a module of the tests declares the part of Foundation that only iOS has.
import PassKit
#endif

/// Time in the background that iOS grants to an app. Without it the app would be suspended within seconds,
/// together with its pending payment. If iOS grants less time than the payment takes, the payment continues when
/// the app is resumed.
struct BackgroundTime {
    #if canImport(PassKit) && !os(macOS)
    private let isOver = DispatchSemaphore(value: 0)
    #endif

    /// Requests the time, until ``end()`` is called.
    init() {
        #if canImport(PassKit) && !os(macOS)
        // The system calls the closure on its own queue, and blocks that queue until it returns. It calls the
        // closure again with true when the app is about to be suspended.
        ProcessInfo.processInfo.performExpiringActivity(withReason: "A payment is under way") { [isOver] isExpired in
            if isExpired { isOver.signal() } else { isOver.wait() }
        }
        #endif
    }

    /// Ends the background time.
    func end() {
        #if canImport(PassKit) && !os(macOS)
        isOver.signal()
        #endif
    }
}
