import Foundation

/// A monotonic clock in seconds, with a sleep function. Tests can replace it. Delays and time limits are measured
/// by the same clock. So if a clock's sleeps return immediately, its time limits pass immediately, too.
public protocol RelayClock: Sendable {
    /// The time in seconds since a fixed moment.
    var now: Double { get }

    /// Returns when ``now`` has grown by this many seconds.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    func sleep(seconds: Double) async throws
}

/// The device's clock. On Apple's systems, ``now`` continues while the device sleeps.
public struct SystemClock: RelayClock {
    /// Creates the device's clock.
    public init() {}

    /// The time in seconds since the device was started.
    public var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Sleeps for at most an hour.
    public func sleep(seconds: Double) async throws {
        try await Task.sleep(nanoseconds: UInt64(max(0, min(seconds, 3_600)) * 1e9))
    }
}
