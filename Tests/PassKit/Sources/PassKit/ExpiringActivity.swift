public import Foundation

extension ProcessInfo {
    /// As iOS declares it in Foundation.
    public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {
        guard let activities = ExpiringActivities.current else { return }
        activities.begin(reason, block)
    }
}

/// The activities that a test's app holds, and the system that ends them.
// Safe: what changes is read and changed under the lock alone.
public final class ExpiringActivities: @unchecked Sendable {
    @TaskLocal public static var current: ExpiringActivities?

    private let lock = NSCondition()
    private var running: [(reason: String, block: @Sendable (Bool) -> Void)] = []
    private var ended = 0

    public init() {}

    /// Why each activity that is held was begun.
    public var reasons: [String] { lock.withLock { running.map(\.reason) } }

    /// The app is about to be suspended.
    public func expire() {
        for activity in lock.withLock({ running }) { activity.block(true) }
    }

    /// Waits until the activities have ended, so many of them.
    public func waitUntilEnded(_ count: Int) {
        lock.withLock { while ended < count { lock.wait() } }
    }

    fileprivate func begin(_ reason: String, _ block: @escaping @Sendable (Bool) -> Void) {
        lock.withLock { running.append((reason, block)) }
        Thread.detachNewThread { [self] in
            block(false)
            lock.withLock {
                running.removeAll()
                ended += 1
                lock.broadcast()
            }
        }
    }
}
