import Synchronization

/// The pairs of certificates that OpenSSL validated for one trust anchor.
///
/// Apple signs with one leaf for years. Only pairs of tokens that were valid as a whole are added, none is removed, and a full cache
/// takes no more: a sender without valid tokens can neither grow it nor evict anything. A pair that finds no room is validated by
/// OpenSSL each time.
final class ValidatedPairCache: Sendable {
    /// Far more than Apple has ever had in use at one time.
    static let limit = 64

    private let pairs = Mutex<[ValidatedPair]>([])
    private let hits = Atomic(0)
    private let misses = Atomic(0)

    var use: ChainCacheUse {
        ChainCacheUse(hits: hits.load(ordering: .relaxed), misses: misses.load(ordering: .relaxed))
    }

    var count: Int { pairs.withLock { $0.count } }

    /// The pair that a message's certificates are.
    func pair(of certificates: [ArraySlice<UInt8>]) -> ValidatedPair? {
        pairs.withLock { $0 }.first { $0.isSame(as: certificates) }
    }

    func countHit() { hits.add(1, ordering: .relaxed) }

    func countMiss() { misses.add(1, ordering: .relaxed) }

    func remember(_ pair: ValidatedPair) {
        pairs.withLock { pairs in
            guard pairs.count < Self.limit, !pairs.contains(where: { $0.path == pair.path }) else { return }
            pairs.append(pair)
        }
    }
}

/// Hits and misses of the cache of validated pairs of certificates, since the verifier was created.
public struct ChainCacheUse: Sendable, Equatable {
    /// Tokens whose pair of certificates was known.
    public let hits: Int
    /// Tokens whose certificates OpenSSL read and validated: of an unknown pair, with other certificates than a pair, or out of their
    /// dates.
    public let misses: Int

    public init(hits: Int, misses: Int) {
        self.hits = hits
        self.misses = misses
    }
}
