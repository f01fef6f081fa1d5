import Synchronization

/// How many pages are watched at once, in all and by one operator. Each holds a connection of the few that the listener has.
final class Watchers: Sendable {
    static let limit = 24
    static let limitOfOperator = 4

    enum Refusal: Error {
        case allPlacesTaken
        case placesOfOperatorTaken
    }

    private let counts = Mutex<[String: Int]>([:])

    /// - Parameter name: the operator's.
    /// - Returns: a place, free again with its last reference.
    func enter(_ name: String) throws(Refusal) -> Place {
        try counts.withLock { counts throws(Refusal) in
            guard counts[name, default: 0] < Self.limitOfOperator else { throw .placesOfOperatorTaken }
            guard counts.values.reduce(0, +) < Self.limit else { throw .allPlacesTaken }
            counts[name, default: 0] += 1
        }
        return Place(of: self, name: name)
    }

    private func leave(_ name: String) {
        counts.withLock { counts in
            let left = (counts[name] ?? 1) - 1
            counts[name] = left == 0 ? nil : left
        }
    }

    final class Place: Sendable {
        private let watchers: Watchers
        private let name: String

        fileprivate init(of watchers: Watchers, name: String) {
            self.watchers = watchers
            self.name = name
        }

        deinit { watchers.leave(name) }
    }
}
