/// The rules for fetching a remote JWK Set, and for how long its keys are valid. The cache itself fetches
/// nothing. It uses a monotonic clock, so setting the wall clock does not change the age of the keys.
///
/// - Up to ``fetchAfter``, keys are used without a fetch.
/// - After ``fetchAfter``, keys are used while the set is fetched again.
/// - After ``waitAfter``, a fetch must have been attempted before a key is used.
/// - After ``validFor`` without a successful fetch, no key is valid.
struct RemoteKeysCache {
    enum Step {
        case use(JWTKey)
        /// Use this key, and fetch the set again in the meantime.
        case useAndFetch(JWTKey)
        /// Fetch the set if ``mayFetch(at:)`` allows it, or wait for the fetch that is running. Then call
        /// ``key(for:at:)``.
        case fetchFirst
    }

    /// The age after which the set is fetched again while its keys are used.
    static let fetchAfter = Duration.seconds(300)
    /// The age after which a fetch must have been attempted before a key is used. That bounds how long a key stays
    /// valid after it was removed from the set. After a failed attempt, keys are used without another attempt for
    /// ``fetchAfter``: otherwise each token would wait as long as an unresponsive host takes.
    static let waitAfter = Duration.seconds(600)
    /// The age after which the keys are no longer valid if no fetch has succeeded.
    static let validFor = Duration.seconds(86_400)
    /// The minimum time between two fetches, however many tokens name unknown keys.
    static let fetchInterval = Duration.seconds(10)

    private var keys: [JWTKey] = []
    private var fetchedAt: ContinuousClock.Instant?
    private var fetchStartedAt: ContinuousClock.Instant?
    /// When the last fetch failed; `nil` if it succeeded.
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

    /// Returns the cached key with an identifier.
    ///
    /// - Throws: ``JWTError/unknownKey`` or ``JWTError/keysUnavailable``.
    func key(for identifier: String?, at now: ContinuousClock.Instant) throws(JWTError) -> JWTKey {
        guard let fetchedAt, now - fetchedAt < Self.validFor else { throw .keysUnavailable }
        guard let key = keys.first(where: { $0.identifier == identifier }) else { throw .unknownKey }
        return key
    }

    mutating func fetchStarted(at now: ContinuousClock.Instant) {
        fetchStartedAt = now
    }

    /// Stores the keys of a set that was fetched.
    ///
    /// - Parameter keys: all keys that are valid from now on; may be empty.
    mutating func fetched(_ keys: [JWTKey], at now: ContinuousClock.Instant) {
        self.keys = keys
        fetchedAt = now
        failedAt = nil
    }

    mutating func fetchFailed(at now: ContinuousClock.Instant) {
        failedAt = now
    }
}
