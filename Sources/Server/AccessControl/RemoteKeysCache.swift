/// Decides when a remote JWK Set is fetched, and how long its keys are valid. Fetches nothing itself. A wall clock that is set
/// does not change how old the keys are.
struct RemoteKeysCache {
    enum Step {
        case use(JWTKey)
        /// Fetch the set again while this key is used.
        case useAndFetch(JWTKey)
        /// Fetch the set where ``mayFetch(at:)`` allows it, or wait for the fetch that runs; then ask for ``key(for:at:)``.
        case fetchFirst
    }

    /// Age after which the set is fetched again, while its keys are used.
    static let fetchAfter = Duration.seconds(300)
    /// Age after which no key is used before a fetch was tried: a key that was removed from the set is valid for no longer. Where a try
    /// has failed, tokens wait for no other for as long as ``fetchAfter``: each would take as long as the host takes to say nothing.
    static let waitAfter = Duration.seconds(600)
    /// Age after which the keys are no longer valid, where no fetch succeeded since.
    static let validFor = Duration.seconds(86_400)
    /// The shortest time between two fetches, however many tokens name unknown keys.
    static let fetchInterval = Duration.seconds(10)

    private var keys: [JWTKey] = []
    private var fetchedAt: ContinuousClock.Instant?
    private var fetchStartedAt: ContinuousClock.Instant?
    /// The last failure; nil once a fetch has succeeded.
    private var failedAt: ContinuousClock.Instant?

    func step(for identifier: String?, at now: ContinuousClock.Instant) -> Step {
        guard let fetchedAt, let key = try? key(for: identifier, at: now) else { return .fetchFirst }
        let waitAt = fetchedAt + Self.waitAfter
        let wasTried = failedAt.map { $0 >= waitAt && now - $0 < Self.fetchAfter } ?? false
        guard now < waitAt || wasTried else { return .fetchFirst }
        return now - fetchedAt >= Self.fetchAfter && mayFetch(at: now) ? .useAndFetch(key) : .use(key)
    }

    func mayFetch(at now: ContinuousClock.Instant) -> Bool {
        fetchStartedAt.map { now >= $0 + Self.fetchInterval } ?? true
    }

    /// - Throws: ``JWTError/unknownKey`` or ``JWTError/keysUnavailable``.
    func key(for identifier: String?, at now: ContinuousClock.Instant) throws(JWTError) -> JWTKey {
        guard let fetchedAt, now - fetchedAt < Self.validFor else { throw .keysUnavailable }
        guard let key = keys.first(where: { $0.identifier == identifier }) else { throw .unknownKey }
        return key
    }

    mutating func fetchStarted(at now: ContinuousClock.Instant) {
        fetchStartedAt = now
    }

    /// - Parameter keys: all that are valid from now on, which may be none.
    mutating func fetched(_ keys: [JWTKey], at now: ContinuousClock.Instant) {
        self.keys = keys
        fetchedAt = now
        failedAt = nil
    }

    mutating func fetchFailed(at now: ContinuousClock.Instant) {
        failedAt = now
    }
}
