import ApplePayToken
import FoundationEssentials
import GatewayModule

/// Checks a token of the merchant's own app with the configured verification. The token's age does not matter.
struct ProcessingCertificateCheck {
    private let verifier: TokenVerifier?

    init(_ verifier: TokenVerifier?) {
        self.verifier = verifier
    }

    func diagnostic(for token: PaymentToken) -> Diagnostic {
        guard let verifier else {
            return .unknown("token", "token verification is off", advice: "Remove PAYRELAY_TOKEN_VERIFICATION=off.")
        }
        let verification = verifier.verify(token, at: .signingTime)
        guard let failure = verification.firstFailure else {
            return .pass("token", "it passes every check, as it was when it was signed")
        }
        return .fail(
            "token", "it fails \(failure.name.rawValue): \(failure.detail)",
            advice: "docs/runbook.md, Tokens that are refused.")
    }
}
