import Synchronization

/// The pairs of certificates that OpenSSL validated for one trust anchor.
///
/// Apple uses one leaf for years, so nearly every token has a known pair. These rules prevent a sender without
/// valid tokens from growing the cache or evicting anything:
/// - only the pair of a token that passed every check is added;
/// - no pair is removed;
/// - a full cache accepts no more pairs. OpenSSL then validates further pairs for every token.
final class ValidatedPairCache: Sendable {
    /// The maximum number of pairs, far more than Apple has ever used at the same time.
    static let limit = 64

    private let pairs = Mutex<[ValidatedPair]>([])
    private let hits = Atomic(0)
    private let misses = Atomic(0)

    var use: ChainCacheUse {
        ChainCacheUse(hits: hits.load(ordering: .relaxed), misses: misses.load(ordering: .relaxed))
    }

    var count: Int { pairs.withLock { $0.count } }

    /// Returns the pair that consists of a message's certificates; `nil` if it is not known.
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
    /// The number of tokens whose pair of certificates was known.
    public let hits: Int
    /// The number of tokens whose certificates OpenSSL parsed and validated: those with an unknown pair, with
    /// other certificates than a pair, or with certificates that are not valid at the signing time.
    public let misses: Int

    public init(hits: Int, misses: Int) {
        self.hits = hits
        self.misses = misses
    }
}
