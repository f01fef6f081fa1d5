import ApplePayToken
import Settings

/// Whether tokens are verified.
enum TokenVerification: String, CaseIterable {
    case required, off
}

extension SettingReader {
    /// Reads the verifier; `nil` if tokens are to be relayed without verification.
    ///
    /// - Parameter certificates: the merchant's payment processing certificates.
    mutating func verifier(_ certificates: ProcessingCertificates) -> TokenVerifier? {
        let verification: TokenVerification = choice(.tokenVerification)
        let freshness = seconds(.tokenFreshnessSeconds)
        var anchor = TrustAnchor.appleRootCAG3
        if let path = text(.tokenTrustAnchorFile) {
            do {
                anchor = try TrustAnchor(pem: String(ofFile: path))
            } catch {
                fail(.tokenTrustAnchorFile, "cannot be used: \(path): \(error)")
            }
        }
        let unknown: UnknownProcessingCertificates = choice(.tokenUnknownProcessingCertificates)
        let sandboxSigners: SandboxSigners = choice(.tokenSandboxSigners)
        guard verification == .required else { return nil }
        return TokenVerifier(
            anchor: anchor, freshness: freshness, processingCertificates: certificates,
            unknownProcessingCertificates: unknown, sandboxSigners: sandboxSigners)
    }
}
