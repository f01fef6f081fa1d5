import PayrelayPrimitives

/// Refuses the signers of Apple's sandbox. Their certificates have the same markers and chain to the same root: only
/// the common name, `ecc-smp-broker-sign_UC4-SANDBOX`, distinguishes them from production's.
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
    /// For a gateway's test environment.
    case accepted
    /// They move no money, so production has no honest use for them.
    case refused
}
