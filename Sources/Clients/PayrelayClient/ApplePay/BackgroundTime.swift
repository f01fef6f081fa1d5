import Foundation

#if canImport(PassKit) && !os(macOS)
// On Linux the tests' module declares what iOS has in Foundation.
import PassKit
#endif

/// Time that iOS grants an app which went into the background: without it the app is suspended within seconds, and the answer to a
/// payment with it. iOS may grant less than the payment takes; then it goes on when the app is resumed.
struct BackgroundTime {
    #if canImport(PassKit) && !os(macOS)
    private let isOver = DispatchSemaphore(value: 0)
    #endif

    /// Asks for it; it lasts until ``end()``.
    init() {
        #if canImport(PassKit) && !os(macOS)
        // Called on a queue of the system, which it holds; and once more with true, when the app is about to be suspended.
        ProcessInfo.processInfo.performExpiringActivity(withReason: "A payment is under way") { [isOver] isExpired in
            if isExpired { isOver.signal() } else { isOver.wait() }
        }
        #endif
    }

    /// Gives the time back.
    func end() {
        #if canImport(PassKit) && !os(macOS)
        isOver.signal()
        #endif
    }
}
