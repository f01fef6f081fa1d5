import PayrelayPrimitives

/// Rejects the signers of Apple's sandbox. Their certificates have the same markers and the same root as those of
/// production. Only the common name, `ecc-smp-broker-sign_UC4-SANDBOX`, is different.
enum SandboxSignerCheck {
    static func judge(_ leaf: Certificate) throws(CheckFailure) -> CheckResult<Void> {
        guard let name = leaf.commonName else {
            throw CheckFailure(
                "the signer's certificate has no common name, which would tell a sandbox from production")
        }
        guard !name.uppercasedASCII.has("-SANDBOX") else {
            throw CheckFailure("the signer (\(name)) is a sandbox's, and sandbox signers are refused here")
        }
        return CheckResult("the signer (\(name)) is not a sandbox's")
    }
}

/// Whether tokens of Apple's sandbox may pay.
public enum SandboxSigners: String, CaseIterable, Sendable {
    /// Tokens of Apple's sandbox may pay: for the test environment of a gateway.
    case accepted
    /// Tokens of Apple's sandbox are rejected: for production, because they move no money.
    case refused
}
