import ApplePayToken

extension SettingReader {
    /// nil where the operator asked for tokens to be relayed unchecked.
    mutating func verifier() -> TokenVerifier? {
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
        let certificates = processingCertificates()
        let words = SandboxSigners.allCases.map(\.rawValue).joined(separator: " or ")
        let sandboxSigners = value(.tokenSandboxSigners, default: .accepted, expected: words) {
            SandboxSigners(rawValue: $0)
        }
        guard isRequired else { return nil }
        return TokenVerifier(
            anchor: anchor, freshness: freshness, processingCertificates: certificates, sandboxSigners: sandboxSigners)
    }

    private mutating func processingCertificates() -> [ProcessingCertificate] {
        let setting = Setting.tokenProcessingCertificateFiles
        let paths = value(setting, default: [], expected: "paths with commas between them") { text in
            text.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmingPrefix { $0 == " " } }
        }
        var certificates: [ProcessingCertificate] = []
        for path in paths {
            do {
                let text = try String(ofFile: String(path))
                certificates.append(try ProcessingCertificate(pem: text))
            } catch {
                add("\(setting.environmentName) cannot be used: \(path): \(error)")
            }
        }
        return certificates
    }
}
