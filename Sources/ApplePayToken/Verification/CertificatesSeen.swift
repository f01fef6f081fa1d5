public import struct FoundationEssentials.Date

/// The newest certificates of each kind that valid tokens came with, so that an operator sees their end coming: Apple's
/// intermediate ends on 2029-05-06, and whoever pins or proxies anything has to be ready for its successor.
public struct CertificatesSeen: Equatable, Sendable {
    /// Whole days until the certificates expire; negative once they have.
    public struct DaysLeft: Equatable, Sendable {
        public let leaf: Int
        public let intermediate: Int

        public init(leaf: Int, intermediate: Int) {
            self.leaf = leaf
            self.intermediate = intermediate
        }
    }

    private var leaf: Certificate?
    private var intermediate: Certificate?

    public init() {}

    /// Learns from a token. One that is not valid teaches nothing: its certificates are whatever its sender likes.
    public mutating func learn(from verification: TokenVerification) {
        guard verification.isValid else { return }
        leaf = Self.newer(leaf, verification.leaf)
        intermediate = Self.newer(intermediate, verification.intermediate)
    }

    /// nil until a valid token was seen.
    public func daysLeft(at moment: Date) -> DaysLeft? {
        guard let leaf, let intermediate else { return nil }
        return DaysLeft(leaf: leaf.daysLeft(at: moment), intermediate: intermediate.daysLeft(at: moment))
    }

    /// Both are in use while Apple changes from one to the next; the one that began later stays.
    private static func newer(_ known: Certificate?, _ seen: Certificate?) -> Certificate? {
        guard let known, let seen else { return seen ?? known }
        return seen.notBefore > known.notBefore ? seen : known
    }
}

extension Certificate {
    fileprivate func daysLeft(at moment: Date) -> Int {
        let secondsInADay = 86_400.0
        return Int((notAfter.timeIntervalSince(moment) / secondsInADay).rounded(.down))
    }
}
