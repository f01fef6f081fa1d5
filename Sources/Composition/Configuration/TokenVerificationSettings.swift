import ApplePayToken

extension SettingReader {
    /// nil where the operator asked for tokens to be relayed unchecked.
    ///
    /// - Parameter certificates: the merchant's payment processing certificates.
    mutating func verifier(_ certificates: ProcessingCertificates) -> TokenVerifier? {
        let isRequired = value(.tokenVerification, default: true, expected: "required or off") { text in
            ["required": true, "off": false][text]
        }
        let freshness = Duration.seconds(number(.tokenFreshnessSeconds, default: 300, in: 1...86_400))
        let path = value(.tokenTrustAnchorFile, default: String?.none, expected: "a path") { $0 }
        var anchor = TrustAnchor.appleRootCAG3
        if let path {
            do {
                anchor = try TrustAnchor(pem: String(ofFile: path))
            } catch {
                add("\(Setting.tokenTrustAnchorFile.environmentName) cannot be used: \(path): \(error)")
            }
        }
        let policies = UnknownProcessingCertificates.allCases.map(\.rawValue).joined(separator: " or ")
        let unknown = value(.tokenUnknownProcessingCertificates, default: .refused, expected: policies) {
            UnknownProcessingCertificates(rawValue: $0)
        }
        let words = SandboxSigners.allCases.map(\.rawValue).joined(separator: " or ")
        let sandboxSigners = value(.tokenSandboxSigners, default: .accepted, expected: words) {
            SandboxSigners(rawValue: $0)
        }
        guard isRequired else { return nil }
        return TokenVerifier(
            anchor: anchor, freshness: freshness, processingCertificates: certificates,
            unknownProcessingCertificates: unknown, sandboxSigners: sandboxSigners)
    }
}
