public import Logging
public import OutboundHTTP
import PayrelayPrimitives

/// The JWK Set at a URL, cached by the rules of ``RemoteKeysCache``. However many tokens wait for it, one fetch runs at a time.
public actor RemoteKeys {
    private let fetch: @Sendable () async throws -> [UInt8]
    private let now: @Sendable () -> ContinuousClock.Instant
    private let logger: Logger
    private var cache = RemoteKeysCache()
    private var refreshing: Task<Void, Never>?
    private var skipped: [JWTKeysError] = []
    private var waiting = 0
    /// How many tokens may wait for a fetch. Whoever sends a token makes it wait: an unknown `kid` is enough, and the host may not answer.
    static let waitingMax = 64

    /// - Parameter fetch: returns the set's bytes, in bounded time and size.
    public init(
        logger: Logger, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        fetch: @escaping @Sendable () async throws -> [UInt8]
    ) {
        self.fetch = fetch
        self.now = now
        self.logger = logger
    }

    /// - Throws: ``JWTError/unknownKey`` or ``JWTError/keysUnavailable``, the latter also if too many wait for a fetch.
    func key(named identifier: String?) async throws(JWTError) -> JWTKey {
        switch cache.step(for: identifier, at: now()) {
        case .use(let key): return key
        case .useAndFetch(let key):
            _ = refresh()
            return key
        case .fetchFirst:
            if cache.mayFetch(at: now()) || refreshing != nil {
                guard waiting < Self.waitingMax else { throw .keysUnavailable }
                waiting += 1
                await refresh().value
                waiting -= 1
            }
            return try cache.key(for: identifier, at: now())
        }
    }

    /// Fetches the set, or joins the fetch that runs. A set that cannot be fetched or parsed leaves the last one.
    private func refresh() -> Task<Void, Never> {
        if let refreshing { return refreshing }
        cache.fetchStarted(at: now())
        let task = Task {
            do {
                let set = try JWKSet(published: await fetch())
                cache.fetched(set.keys, at: now())
                report(skipped: set.skipped)
            } catch {
                cache.fetchFailed(at: now())
                logger.warning("JWT keys not fetched", metadata: ["error": "\(error)"])
            }
            refreshing = nil
        }
        refreshing = task
        return task
    }

    /// Logs the unusable keys of a set once, not at each fetch.
    private func report(skipped errors: [JWTKeysError]) {
        guard errors != skipped else { return }
        skipped = errors
        for error in errors {
            logger.warning("JWT key skipped", metadata: ["error": "the set at the URL \(error)"])
        }
    }
}

extension RemoteKeys {
    /// Fetches from a URL, which must be `https`; plain `http` is taken on loopback only.
    public init(url: String, client: OutboundClient, logger: Logger) {
        self.init(logger: logger) { try await Self.fetch(url, over: client) }
    }

    /// Asks a URL for the bytes of its set, once.
    ///
    /// - Throws: why there are none.
    package static func fetch(_ url: String, over client: OutboundClient) async throws -> [UInt8] {
        let answer = try await client.send(
            OutboundRequest(
                method: .get, url: url, headers: [("Accept", "application/jwk-set+json, application/json")],
                timeout: .seconds(5), answerLimit: 65_536)
        ).get()
        guard answer.status == 200 else { throw KeysNotPublished(status: answer.status) }
        return answer.body
    }

    /// How many keys of a set at a URL are used, and why others are not.
    ///
    /// - Throws: ``JWTKeysError/noSet``.
    package static func keys(in bytes: [UInt8]) throws(JWTKeysError) -> (used: Int, skipped: [JWTKeysError]) {
        let set = try JWKSet(published: bytes)
        return (set.keys.count, set.skipped)
    }
}

private struct KeysNotPublished: Error, CustomStringConvertible {
    let status: Int

    var description: String { "the URL answered \(status)" }
}
