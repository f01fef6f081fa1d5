public import Foundation

extension ProcessInfo {
    /// Begins an activity, with the declaration that iOS has in Foundation.
    public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {
        guard let activities = ExpiringActivities.current else { return }
        activities.begin(reason, block)
    }
}

/// The activities of a test's app, and the system that ends them.
// Safe: the mutable state is read and changed only under the lock.
public final class ExpiringActivities: @unchecked Sendable {
    @TaskLocal public static var current: ExpiringActivities?

    private let lock = NSCondition()
    private var running: [(reason: String, block: @Sendable (Bool) -> Void)] = []
    private var ended = 0

    public init() {}

    /// The reason of each running activity.
    public var reasons: [String] { lock.withLock { running.map(\.reason) } }

    /// Tells the activities that the app is about to be suspended.
    public func expire() {
        for activity in lock.withLock({ running }) { activity.block(true) }
    }

    /// Waits until `count` activities have ended.
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
