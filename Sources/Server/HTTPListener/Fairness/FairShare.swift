/// Hands out a limited number of places so that no holder gets all of them (dynamic thresholds for shared buffers, Choudhury and
/// Hahne 1998). Pure.
///
/// A holder is given another place while it has fewer than its weight times those that are free. So one alone leaves some free, and
/// so do many greedy ones together: `limit / (1 + n * weight)`. A holder without a place gets one while any is free.
public struct FairShare<Holder: Hashable & Sendable> {
    /// A holder that a request counts for, and its weight. A request may count for several at once: a phone, all phones
    /// of its shop, the shop.
    public struct Share: Hashable, Sendable {
        @usableFromInline let holder: Holder
        @usableFromInline let weight: Int

        /// - Parameter weight: in sixteenths.
        @inlinable public init(holder: Holder, weight: Int) {
            self.holder = holder
            self.weight = weight
        }
    }

    @usableFromInline let limit: Int
    @usableFromInline var taken = 0
    @usableFromInline var held: [Holder: Int] = [:]

    @inlinable public init(limit: Int) {
        self.limit = limit
    }

    @inlinable public func hasRoom(for shares: [Share]) -> Bool {
        let free = limit - taken
        return free > 0 && shares.allSatisfy { (held[$0.holder] ?? 0) * 16 < free * $0.weight }
    }

    /// - Returns: whether a place was taken.
    @inlinable public mutating func take(_ shares: [Share]) -> Bool {
        guard hasRoom(for: shares) else { return false }
        taken += 1
        for share in shares { held[share.holder, default: 0] += 1 }
        return true
    }

    /// - Parameter shares: as they were when the place was taken.
    @inlinable public mutating func release(_ shares: [Share]) {
        taken -= 1
        for share in shares {
            let count = (held[share.holder] ?? 1) - 1
            held[share.holder] = count > 0 ? count : nil
        }
    }
}
