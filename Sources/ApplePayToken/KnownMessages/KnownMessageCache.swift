import Synchronization

/// The messages that OpenSSL verified for one trust anchor and that others are compared with.
///
/// Apple signs with one leaf for years. Only messages of tokens that were valid as a whole are added, none is removed, and a full
/// cache takes no more: a sender without valid tokens can neither grow it nor evict anything. A message that finds no room
/// is verified by OpenSSL each time.
final class KnownMessageCache: Sendable {
    /// Far more than Apple has ever had in use at one time: tokens of one leaf and version need one.
    static let limit = 64

    private let messages = Mutex<[KnownMessage]>([])
    private let hits = Atomic(0)
    private let misses = Atomic(0)

    var use: ChainCacheUse {
        ChainCacheUse(hits: hits.load(ordering: .relaxed), misses: misses.load(ordering: .relaxed))
    }

    var count: Int { messages.withLock { $0.count } }

    /// The message that a token's differs from in the values only, and where the token's has its signature.
    func message(like token: PaymentToken) -> (known: KnownMessage, signature: Range<Int>)? {
        for known in messages.withLock({ $0 }) {
            if let signature = known.signature(in: token) { return (known, signature) }
        }
        return nil
    }

    func countHit() { hits.add(1, ordering: .relaxed) }

    func countMiss() { misses.add(1, ordering: .relaxed) }

    /// - Parameter token: the one that the message is of.
    func remember(_ message: KnownMessage, of token: PaymentToken) {
        messages.withLock { messages in
            guard messages.count < Self.limit, messages.allSatisfy({ $0.signature(in: token) == nil }) else { return }
            messages.append(message)
        }
    }
}

/// Hits and misses of the cache of known messages, since the verifier was created.
public struct ChainCacheUse: Sendable, Equatable {
    /// Tokens verified by a known message of their chain.
    public let hits: Int
    /// Tokens verified by OpenSSL: of an unknown chain, of another layout than Apple's, or invalid.
    public let misses: Int

    public init(hits: Int, misses: Int) {
        self.hits = hits
        self.misses = misses
    }
}
