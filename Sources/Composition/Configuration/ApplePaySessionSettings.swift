import ApplePaySession
import FoundationEssentials

extension SettingReader {
    /// nil where none of the settings for sessions is set; then none is needed.
    mutating func applePaySessions() -> SessionSettings? {
        let settings: [Setting] = [
            .applePayMerchantIdentifier, .applePayDisplayName, .applePayDomains, .applePayIdentityCertificateFile,
            .applePayIdentityKeyFile, .applePaySandbox, .applePaySessionHost, .applePaySessionCAFile,
        ]
        guard settings.contains(where: { text($0) != nil }) else { return nil }
        // Each of them names its own errors, so all of them are read before any is missed.
        let merchant = merchant()
        let identities = identities()
        let gateway = gateway()
        guard let merchant, let identities, let gateway else { return nil }
        guard merchant.identifier == identities.merchantIdentifier else {
            add(
                "\(Setting.applePayMerchantIdentifier.environmentName) is \(merchant.identifier), but the certificate in "
                    + "\(identities.all[0].certificateFile) was issued for \(identities.merchantIdentifier)")
            return nil
        }
        return SessionSettings(
            merchant: merchant, identities: identities, gateway: gateway, caFile: text(.applePaySessionCAFile))
    }

    /// The file that Apple looks for on the merchant's web site.
    mutating func applePayDomainFile() -> [UInt8]? {
        guard let path = text(.applePayDomainFile) else { return nil }
        guard let content = try? Data(contentsOf: URL(filePath: path)), !content.isEmpty else {
            add("\(Setting.applePayDomainFile.environmentName) cannot be used: \(path) cannot be read, or is empty")
            return nil
        }
        return Array(content)
    }

    private mutating func merchant() -> SessionMerchant? {
        let identifier = required(.applePayMerchantIdentifier)
        let displayName = parsed(.applePayDisplayName, expected: "1 to 64 characters") {
            SessionMerchant.DisplayName($0)
        }
        let domains = parsed(
            .applePayDomains, expected: "domain names with commas between them, without scheme, port or path"
        ) { text in
            let names = text.split(separator: ",", omittingEmptySubsequences: false)
            let domains = names.compactMap { MerchantDomain(String($0.trimmingPrefix { $0 == " " })) }
            return domains.count == names.count ? domains : nil
        }
        guard !identifier.isEmpty, let displayName, let domains else { return nil }
        return SessionMerchant(identifier: identifier, displayName: displayName, domains: domains)
    }

    private mutating func identities() -> MerchantIdentities? {
        let certificateFiles = required(.applePayIdentityCertificateFile)
        let keyFiles = required(.applePayIdentityKeyFile)
        guard !certificateFiles.isEmpty, !keyFiles.isEmpty else { return nil }
        do throws(MerchantIdentityError) {
            return try MerchantIdentities(
                certificateFiles: paths(.applePayIdentityCertificateFile), keyFiles: paths(.applePayIdentityKeyFile))
        } catch {
            add("the merchant identity cannot be used: \(error)")
            return nil
        }
    }

    private mutating func gateway() -> SessionGateway? {
        let isSandbox = value(.applePaySandbox, default: false, expected: "true or false") { Bool($0) }
        guard text(.applePaySessionHost) != nil else {
            guard text(.applePaySessionCAFile) == nil else {
                add(
                    "\(Setting.applePaySessionCAFile.environmentName) is for "
                        + "\(Setting.applePaySessionHost.environmentName) only: Apple's hosts are held against the system's roots"
                )
                return nil
            }
            return isSandbox ? .sandbox : .production
        }
        return parsed(.applePaySessionHost, expected: "127.0.0.1, [::1] or localhost, with a port") {
            SessionGateway(loopback: $0)
        }
    }

    /// A setting that has no default here; nil where it is missing or wrong, which is then a error.
    private mutating func parsed<Value>(
        _ setting: Setting, expected: String, _ parse: (String) -> Value?
    ) -> Value? {
        guard case let text = required(setting), !text.isEmpty else { return nil }
        if let value = parse(text) { return value }
        add("\(setting.environmentName) must be \(expected)")
        return nil
    }
}
