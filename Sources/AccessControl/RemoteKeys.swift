public import FoundationEssentials
public import Logging

/// The JWK Set at a URL, kept as ``KeyCache`` says. However many tokens wait for it, it is fetched once at a time.
public actor RemoteKeys {
    private let fetch: @Sendable () async throws -> [UInt8]
    private let now: @Sendable () -> Date
    private let logger: Logger
    private var cache = KeyCache()
    private var underWay: Task<Void, Never>?

    /// - Parameter fetch: gets the set's bytes, in bounded time and size.
    public init(
        logger: Logger, now: @escaping @Sendable () -> Date = { Date() },
        fetch: @escaping @Sendable () async throws -> [UInt8]
    ) {
        self.fetch = fetch
        self.now = now
        self.logger = logger
    }

    func key(named identifier: String?) async throws(JWTError) -> JWTKey {
        switch cache.step(toward: identifier, at: now()) {
        case .take(let key, let isAging):
            if isAging { _ = ask() }
            return key
        case .ask: await ask().value
        case .refuse: await underWay?.value
        }
        switch cache.step(toward: identifier, at: now()) {
        case .take(let key, _): return key
        case .ask: throw .keysUnavailable
        case .refuse(let fault): throw fault
        }
    }

    private func ask() -> Task<Void, Never> {
        if let underWay { return underWay }
        cache.asked(at: now())
        let task = Task {
            do {
                // A secret that is published is none: what is signed with it could be anybody's.
                let keys = try JWTKey.keys(set: await fetch()).filter { $0.algorithm != "HS256" }
                cache.fetched(keys, at: now())
            } catch {
                logger.warning("JWT keys not fetched", metadata: ["error": "\(error)"])
            }
            underWay = nil
        }
        underWay = task
        return task
    }
}
