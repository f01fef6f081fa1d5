import Crypto
import Synchronization

/// The chains that one trust anchor vouches for, by the SHA-256 of leaf and issuer together.
///
/// Apple signs with one leaf for years, so what OpenSSL said about a chain is remembered. Only chains of tokens that
/// were valid as a whole enter, none ever leaves, and when the cache is full no more are taken: whoever cannot make
/// valid tokens of new chains can neither grow it nor push anything out. A chain that finds no room is verified through
/// OpenSSL each time.
final class ChainCache: Sendable {
    /// Far more than Apple has ever had in use at one time.
    static let limit = 64

    private let chains = Mutex<[SHA256Digest: KnownChain]>([:])
    private let hits = Atomic(0)
    private let misses = Atomic(0)

    var use: ChainCacheUse {
        ChainCacheUse(hits: hits.load(ordering: .relaxed), misses: misses.load(ordering: .relaxed))
    }

    var count: Int { chains.withLock { $0.count } }

    subscript(digest: SHA256Digest) -> KnownChain? {
        chains.withLock { $0[digest] }
    }

    func countHit() { hits.add(1, ordering: .relaxed) }

    func countMiss() { misses.add(1, ordering: .relaxed) }

    func remember(_ chain: KnownChain, as digest: SHA256Digest) {
        chains.withLock { chains in
            guard chains.count < Self.limit, chains[digest] == nil else { return }
            chains[digest] = chain
        }
    }
}
