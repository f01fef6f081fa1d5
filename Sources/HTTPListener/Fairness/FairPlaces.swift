/// Hands out places so that none of those who compete for them gets all of them (the dynamic threshold of shared buffers, Choudhury
/// and Hahne 1998). Pure.
///
/// A holder is given another place while it has fewer than its weight times those that are free. So one alone leaves some free, and
/// so do many greedy ones together: `limit / (1 + n * weight)`. A holder without a place gets one while any is free.
public struct FairPlaces<Holder: Hashable & Sendable> {
    /// What a request counts for. It may count for several at once: a phone, all phones of its shop, the shop.
    public struct Share: Hashable, Sendable {
        let holder: Holder
        let weight: Int

        /// - Parameter weight: in sixteenths.
        public init(holder: Holder, weight: Int) {
            self.holder = holder
            self.weight = weight
        }
    }

    private let limit: Int
    private(set) var taken = 0
    private(set) var held: [Holder: Int] = [:]

    public init(limit: Int) {
        self.limit = limit
    }

    public func hasRoom(for shares: [Share]) -> Bool {
        let free = limit - taken
        return free > 0 && shares.allSatisfy { (held[$0.holder] ?? 0) * 16 < free * $0.weight }
    }

    /// - Returns: whether a place was taken.
    public mutating func take(_ shares: [Share]) -> Bool {
        guard hasRoom(for: shares) else { return false }
        taken += 1
        for share in shares { held[share.holder, default: 0] += 1 }
        return true
    }

    /// - Parameter shares: as they were when the place was taken.
    public mutating func release(_ shares: [Share]) {
        taken -= 1
        for share in shares {
            let count = (held[share.holder] ?? 1) - 1
            held[share.holder] = count > 0 ? count : nil
        }
    }
}
