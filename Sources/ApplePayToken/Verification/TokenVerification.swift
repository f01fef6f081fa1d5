public import struct FoundationEssentials.Date

/// What became of each check on a token.
public struct TokenVerification: Equatable, Sendable {
    /// Every check of ``CheckName`` once, in its order.
    public let checks: [Check]
    /// When the signer says it signed; nil where no signed attribute says so. Proven only if ``isValid``.
    public let signingTime: Date?
    /// The certificates in the message as they came: proven only if ``isValid``.
    public let certificates: [Certificate]

    /// Whether every check was made and passed.
    public var isValid: Bool {
        !checks.isEmpty && checks.allSatisfy { $0.verdict == .passed }
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
