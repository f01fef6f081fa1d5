public import struct FoundationEssentials.Date

/// When the certificates of valid tokens expire: the newest leaf and the newest intermediate seen. Operators watch it, because
/// Apple's intermediate ends on 2029-05-06.
public struct SignerCertificateExpiry: Equatable, Sendable {
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

    /// Takes a token's certificates into account. Those of an invalid token are its sender's choice and are ignored.
    public mutating func record(_ verification: TokenVerification) {
        guard verification.isValid, let seen = verification.path else { return }
        // Two are in use while Apple changes from one to the next; the one that began later counts.
        if leaf.map({ $0.notBefore < seen.leaf.notBefore }) ?? true { leaf = seen.leaf }
        if intermediate.map({ $0.notBefore < seen.intermediate.notBefore }) ?? true { intermediate = seen.intermediate }
    }

    /// nil before the first valid token.
    public func daysLeft(at moment: Date) -> DaysLeft? {
        guard let leaf, let intermediate else { return nil }
        return DaysLeft(leaf: leaf.daysLeft(at: moment), intermediate: intermediate.daysLeft(at: moment))
    }
}

extension Certificate {
    fileprivate func daysLeft(at moment: Date) -> Int {
        let secondsInADay = 86_400.0
        return Int((notAfter.timeIntervalSince(moment) / secondsInADay).rounded(.down))
    }
}
