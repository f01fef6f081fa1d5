public import Logging
public import OutboundHTTP
import PayrelayPrimitives

/// The JWK Set at a URL, cached by the rules of ``RemoteKeysCache``. Only one fetch runs at a time, however many
/// tokens wait for it.
public actor RemoteKeys {
    private let fetch: @Sendable () async throws -> [UInt8]
    private let now: @Sendable () -> ContinuousClock.Instant
    private let logger: Logger
    private var cache = RemoteKeysCache()
    private var refreshing: Task<Void, Never>?
    private var skipped: [JWTKeysError] = []
    private var waiting = 0
    /// The maximum number of tokens that wait for a fetch. Any client can cause such a wait with an unknown
    /// `kid`, and the host may not answer.
    static let waitingMax = 64

    /// - Parameter fetch: returns the bytes of the set, within a bounded time and size.
    public init(
        logger: Logger, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        fetch: @escaping @Sendable () async throws -> [UInt8]
    ) {
        self.fetch = fetch
        self.now = now
        self.logger = logger
    }

    /// Returns the key with an identifier. Fetches the set if the rules of the cache require it.
    ///
    /// - Throws: ``JWTError/unknownKey``, or ``JWTError/keysUnavailable`` if the set cannot be fetched or too
    ///   many tokens wait for a fetch.
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

    /// Fetches the set, or joins the fetch that is running. If the set cannot be fetched or parsed, the previous
    /// set stays in use.
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

    /// Logs the unusable keys of a set if they have changed, so that they are not logged at each fetch.
    private func report(skipped errors: [JWTKeysError]) {
        guard errors != skipped else { return }
        skipped = errors
        for error in errors {
            logger.warning("JWT key skipped", metadata: ["error": "the set at the URL \(error)"])
        }
    }
}

extension RemoteKeys {
    /// Fetches the set from a URL, which must be `https`. Plain `http` is accepted only on loopback.
    public init(url: String, client: OutboundClient, logger: Logger) {
        self.init(logger: logger) { try await Self.fetch(url, over: client) }
    }

    /// Fetches the bytes of a set from a URL, with a single attempt.
    ///
    /// - Throws: the reason if the set could not be fetched.
    package static func fetch(_ url: String, over client: OutboundClient) async throws -> [UInt8] {
        let answer = try await client.send(
            OutboundRequest(
                method: .get, url: url, headers: [("Accept", "application/jwk-set+json, application/json")],
                timeout: .seconds(5), answerLimit: 65_536)
        ).get()
        guard answer.status == 200 else { throw KeysNotPublished(status: answer.status) }
        return answer.body
    }

    /// Returns the number of usable keys of a published set, and why the other keys are not usable.
    ///
    /// - Throws: ``JWTKeysError/noSet`` if the bytes are not a JWK Set.
    package static func keys(in bytes: [UInt8]) throws(JWTKeysError) -> (used: Int, skipped: [JWTKeysError]) {
        let set = try JWKSet(published: bytes)
        return (set.keys.count, set.skipped)
    }
}

private struct KeysNotPublished: Error, CustomStringConvertible {
    let status: Int

    var description: String { "the URL answered \(status)" }
}
