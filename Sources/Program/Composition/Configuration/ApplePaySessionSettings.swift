import ApplePaySession
import FoundationEssentials
import Settings

extension SettingReader {
    /// Reads the settings of Apple Pay sessions; `nil` if none of them is set, or if one is wrong.
    mutating func applePaySessions() -> SessionSettings? {
        let settings: [Setting] = [
            .applePayMerchantIdentifier, .applePayDisplayName, .applePayDomains, .applePayIdentityCertificateFile,
            .applePayIdentityKeyFile, .applePaySandbox, .applePaySessionHost, .applePaySessionCAFile,
        ]
        guard settings.contains(where: isChanged) else { return nil }
        // All parts are read before any is checked for absence, because each part reports its own errors.
        let merchant = merchant()
        let identities = identities()
        let gateway = gateway()
        guard let merchant, let identities, let gateway else { return nil }
        guard merchant.identifier == identities.merchantIdentifier else {
            fail(
                .applePayMerchantIdentifier,
                "is \(merchant.identifier), but the certificate in \(identities.all[0].certificateFile) was issued for "
                    + identities.merchantIdentifier)
            return nil
        }
        return SessionSettings(
            merchant: merchant, identities: identities, gateway: gateway, caFile: text(.applePaySessionCAFile))
    }

    /// Reads the file that Apple requests from the merchant's web site.
    mutating func applePayDomainFile() -> [UInt8]? {
        guard let path = text(.applePayDomainFile) else { return nil }
        guard let content = try? Data(contentsOf: URL(filePath: path)), !content.isEmpty else {
            fail(.applePayDomainFile, "cannot be used: \(path) cannot be read, or is empty")
            return nil
        }
        return Array(content)
    }

    private mutating func merchant() -> SessionMerchant? {
        let identifier = required(.applePayMerchantIdentifier)
        let displayName = parsed(.applePayDisplayName) { SessionMerchant.DisplayName($0) }
        let domains = parsed(.applePayDomains) { text in
            let names = SettingKind.items(of: text)
            let domains = names.compactMap { MerchantDomain($0) }
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
                certificateFiles: list(.applePayIdentityCertificateFile), keyFiles: list(.applePayIdentityKeyFile))
        } catch {
            fail(.applePayIdentityCertificateFile, "cannot be used: \(error)")
            return nil
        }
    }

    private mutating func gateway() -> SessionGateway? {
        let isSandbox = value(.applePaySandbox) { Bool($0) }
        guard text(.applePaySessionHost) != nil else {
            guard text(.applePaySessionCAFile) == nil else {
                fail(
                    .applePaySessionCAFile,
                    "is for \(Setting.applePaySessionHost.name) only: Apple's hosts are held against the system's roots"
                )
                return nil
            }
            return isSandbox ? .sandbox : .production
        }
        return parsed(.applePaySessionHost) { SessionGateway(loopback: $0) }
    }

    /// Returns the value of a setting that is required here; `nil` if it is missing or invalid.
    private mutating func parsed<Value>(_ setting: Setting, _ parse: (String) -> Value?) -> Value? {
        required(setting).isEmpty ? nil : optional(setting, parse)
    }
}
