import Foundation

/// Seconds that only grow, and a sleep. A test gives its own. Delays and time limits are measured by the same clock, so a clock whose sleeps
/// return at once lets time limits pass at once.
public protocol RelayClock: Sendable {
    /// In seconds from any beginning.
    var now: Double { get }

    /// Returns when ``now`` has grown by this many seconds.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    func sleep(seconds: Double) async throws
}

/// The device's clock. It goes on while the device sleeps.
public struct SystemClock: RelayClock {
    /// The device's clock.
    public init() {}

    /// In seconds since the device was started.
    public var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// For an hour at most.
    public func sleep(seconds: Double) async throws {
        try await Task.sleep(nanoseconds: UInt64(max(0, min(seconds, 3_600)) * 1e9))
    }
}
