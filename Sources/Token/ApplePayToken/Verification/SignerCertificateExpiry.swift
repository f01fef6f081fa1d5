public import struct FoundationEssentials.Date

/// The expiry of the newest leaf and the newest intermediate in valid tokens. Operators must watch it: Apple's
/// intermediate expires on 2029-05-06.
public struct SignerCertificateExpiry: Equatable, Sendable {
    /// The whole days until the certificates expire; negative after their expiry.
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

    /// Records a token's certificates. Those of an invalid token are ignored, because its sender chose them.
    public mutating func record(_ verification: TokenVerification) {
        guard verification.isValid, let seen = verification.path else { return }
        // While Apple replaces a certificate, two are in use. The one with the later beginning counts.
        if leaf.map({ $0.notBefore < seen.leaf.notBefore }) ?? true { leaf = seen.leaf }
        if intermediate.map({ $0.notBefore < seen.intermediate.notBefore }) ?? true { intermediate = seen.intermediate }
    }

    /// Returns the days left; `nil` before the first valid token.
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
