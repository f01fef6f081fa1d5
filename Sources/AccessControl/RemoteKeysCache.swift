import FoundationEssentials
import PayrelayPrimitives

/// Decides when a remote JWK Set is fetched, and how long its keys are valid. Fetches nothing itself.
struct RemoteKeysCache {
    enum Step {
        /// - Parameter isStale: fetch the set again while this key is used.
        case use(JWTKey, isStale: Bool)
        case fetch
        case reject(JWTError)
    }

    /// Age after which the set is fetched again, so that a key that was removed from it stops being valid.
    static let refreshAfter = Duration.seconds(600)
    /// Age after which the keys are no longer valid, where no fetch succeeded since.
    static let validFor = Duration.seconds(86_400)
    /// The shortest time between two fetches, however many tokens name unknown keys.
    static let fetchInterval = Duration.seconds(10)

    private var keys: [JWTKey] = []
    private var fetchedAt: Date?
    private var fetchStartedAt: Date?

    func step(for identifier: String?, at now: Date) -> Step {
        let mayFetch = fetchStartedAt.map { now >= $0 + Self.fetchInterval } ?? true
        let age = fetchedAt.map { now - $0 }
        let isValid = age.map { $0 < Self.validFor } ?? false
        if isValid, let age, let key = keys.first(where: { $0.identifier == identifier }) {
            return .use(key, isStale: age >= Self.refreshAfter && mayFetch)
        }
        if mayFetch { return .fetch }
        return .reject(isValid ? .unknownKey : .keysUnavailable)
    }

    mutating func fetchStarted(at now: Date) {
        fetchStartedAt = now
    }

    mutating func fetched(_ keys: [JWTKey], at now: Date) {
        self.keys = keys
        fetchedAt = now
    }
}
