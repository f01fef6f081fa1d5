public import struct FoundationEssentials.Date

/// What became of each check on a token.
public struct TokenVerification: Equatable, Sendable {
    /// Every check of ``CheckName`` once, in its order.
    public let checks: [Check]
    /// When the signer says it signed; nil where no signed attribute says so. Proven only if ``isValid``.
    public let signingTime: Date?
    /// The certificates in the message as they came: proven only if ``isValid``.
    public let certificates: [Certificate]

    /// The signer's own certificate; nil where the message has none.
    public let leaf: Certificate?
    /// The certificate that issued the signer's; nil where the message has none.
    public let intermediate: Certificate?

    /// Whether every check that applies was made and passed: a check that was not reached is never enough, and only
    /// those that depend on a setting or on the order may go unasked.
    public var isValid: Bool {
        checks.map(\.name) == CheckName.allCases
            && checks.allSatisfy { $0.verdict == .passed || $0.verdict == .notAsked && $0.name.isOptional }
    }

    /// The first check that failed: why the token is refused. Nil where it is valid.
    public var refusal: Check? {
        checks.first { $0.verdict == .failed }
    }

    /// The check of a name.
    public subscript(name: CheckName) -> Check? {
        checks.first { $0.name == name }
    }
}
