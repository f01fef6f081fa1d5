public import FoundationEssentials
public import Logging
public import OutboundHTTP

/// The JWK Set at a URL, cached by the rules of ``RemoteKeysCache``. However many tokens wait for it, one fetch runs at a time.
public actor RemoteKeys {
    private let fetch: @Sendable () async throws -> [UInt8]
    private let now: @Sendable () -> Date
    private let logger: Logger
    private var cache = RemoteKeysCache()
    private var refreshing: Task<Void, Never>?

    /// - Parameter fetch: returns the set's bytes, in bounded time and size.
    public init(
        logger: Logger, now: @escaping @Sendable () -> Date = { Date() },
        fetch: @escaping @Sendable () async throws -> [UInt8]
    ) {
        self.fetch = fetch
        self.now = now
        self.logger = logger
    }

    func key(named identifier: String?) async throws(JWTError) -> JWTKey {
        switch cache.step(for: identifier, at: now()) {
        case .use(let key, let isStale):
            if isStale { _ = refresh() }
            return key
        case .fetch: await refresh().value
        case .reject: await refreshing?.value
        }
        switch cache.step(for: identifier, at: now()) {
        case .use(let key, _): return key
        case .fetch: throw .keysUnavailable
        case .reject(let error): throw error
        }
    }

    private func refresh() -> Task<Void, Never> {
        if let refreshing { return refreshing }
        cache.fetchStarted(at: now())
        let task = Task {
            do {
                // A shared secret that is published is none: any of its readers could sign with it.
                let keys = try JWTKey.keys(set: await fetch()).filter { $0.algorithm != "HS256" }
                cache.fetched(keys, at: now())
            } catch {
                logger.warning("JWT keys not fetched", metadata: ["error": "\(error)"])
            }
            refreshing = nil
        }
        refreshing = task
        return task
    }
}

extension RemoteKeys {
    /// Fetches from a URL, which must be `https`; plain `http` is taken on loopback only.
    public init(url: String, client: OutboundClient, logger: Logger) {
        self.init(logger: logger) {
            let answer = try await client.send(
                OutboundRequest(
                    method: .get, url: url, headers: [("Accept", "application/jwk-set+json, application/json")],
                    timeout: .seconds(5), answerLimit: 65_536))
            guard answer.status == 200 else { throw OutboundFailure.noAnswer(reason: "status \(answer.status)") }
            return answer.body
        }
    }
}
