import Synchronization

/// How many pages are watched at once. Each holds a connection of the few that the listener has.
final class Watchers: Sendable {
    static let limit = 24

    private let count = Mutex(0)

    /// - Returns: a place, free again with its last reference; nil where there is none.
    func enter() -> Place? {
        let isIn = count.withLock { count in
            guard count < Self.limit else { return false }
            count += 1
            return true
        }
        return isIn ? Place(of: self) : nil
    }

    final class Place: Sendable {
        private let watchers: Watchers

        fileprivate init(of watchers: Watchers) {
            self.watchers = watchers
        }

        deinit { watchers.count.withLock { $0 -= 1 } }
    }
}
