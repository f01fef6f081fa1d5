/// How often the memory of known chains served, since the verifier was made.
public struct ChainCacheUse: Sendable, Equatable {
    /// Tokens that a known chain sufficed for.
    public let hits: Int
    /// Tokens that went through OpenSSL: of a chain not seen before, of another layout than Apple's, or refused.
    public let misses: Int

    public init(hits: Int, misses: Int) {
        self.hits = hits
        self.misses = misses
    }
}
