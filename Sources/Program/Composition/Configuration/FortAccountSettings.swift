import FortAPI
import PayrelayPrimitives

extension SettingReader {
    /// The account that the settings of its own give, and those that the file lists under `fort.accounts`.
    ///
    /// - Returns: nil where anything is wrong; every error is kept.
    mutating func accounts() -> FortAccounts? {
        let known = errors.count
        let names = sources.accountNames
        var entries: [FortAccounts.Entry] = []
        let own: [Setting] = [.fortAccessCode, .fortMerchantIdentifier, .fortRequestPhrase, .fortResponsePhrase]
        if names.isEmpty || own.contains(where: isSet) {
            if let account = account(setting: { $0 }) { entries.append(.init(name: "default", account: account)) }
        }
        for name in names {
            let currencies = currencies(of: name)
            if let account = account(setting: { $0.ofAccount(name) }) {
                entries.append(.init(name: name, currencies: currencies, account: account))
            }
        }
        guard errors.count == known else { return nil }
        do throws(FortAccountsError) {
            return try FortAccounts(entries)
        } catch {
            add([
                SettingError(
                    name: "fort.accounts", source: sources.filePath.map { .file(path: $0, line: 1) },
                    problem: "cannot be used: \(error)",
                    advice: "Each account has a name, an access code and currencies of its own.")
            ])
            return nil
        }
    }

    /// - Parameter setting: what a setting of the single account is for this one.
    private mutating func account(setting: (Setting) -> Setting) -> FortAccount? {
        let accessCode = required(setting(.fortAccessCode))
        let merchantIdentifier = required(setting(.fortMerchantIdentifier))
        let type: FortSignatureType = choice(setting(.fortSignatureType))
        let requestPhrase = secret(setting(.fortRequestPhrase))
        let responsePhrase = secret(setting(.fortResponsePhrase))
        do throws(ValidationErrors) {
            return try FortAccount(
                accessCode: accessCode, merchantIdentifier: merchantIdentifier, signatureType: type,
                requestPhrase: requestPhrase, responsePhrase: responsePhrase)
        } catch {
            for error in error.errors {
                let field = setting(Setting.ofAccounts.first { $0.key == "fort." + error.field } ?? .fortAccessCode)
                // What is missing, or stands in a file that cannot be read, is an error already.
                if text(field) != nil { fail(field, error.detail) }
            }
            return nil
        }
    }

    private mutating func currencies(of name: String) -> Set<Currency> {
        let setting = Setting.fortAccountCurrencies.ofAccount(name)
        var currencies: Set<Currency> = []
        for code in list(setting) {
            if let currency = Currency(code: code) {
                currencies.insert(currency)
            } else {
                fail(setting, "has a currency that FORT does not know: \(UnknownName.shown(code))")
            }
        }
        return currencies
    }
}
