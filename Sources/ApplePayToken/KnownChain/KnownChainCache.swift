import Crypto
import Synchronization

/// The chains that OpenSSL verified for one trust anchor, by the SHA-256 of leaf and intermediate together.
///
/// Apple signs with one leaf for years. Only chains of tokens that were valid as a whole are added, none is removed, and a full
/// cache takes no more: a sender without valid tokens of new chains can neither grow it nor evict anything. A chain that finds no
/// room is verified by OpenSSL each time.
final class KnownChainCache: Sendable {
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

/// Hits and misses of the cache of known chains, since the verifier was created.
public struct ChainCacheUse: Sendable, Equatable {
    /// Tokens verified by a known chain.
    public let hits: Int
    /// Tokens verified by OpenSSL: of an unknown chain, of another layout than Apple's, or invalid.
    public let misses: Int

    public init(hits: Int, misses: Int) {
        self.hits = hits
        self.misses = misses
    }
}
