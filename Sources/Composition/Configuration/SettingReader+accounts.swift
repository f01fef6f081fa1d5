import Primitives
import FortAPI

extension SettingReader {
    /// The account that the settings of its own give, and those that the file lists under `fort.accounts`.
    ///
    /// - Returns: nil where anything is wrong; every error is kept.
    mutating func accounts() -> FortAccounts? {
        var entries: [FortAccounts.Entry] = []
        let own: [Setting] = [.fortAccessCode, .fortMerchantIdentifier, .fortRequestPhrase, .fortResponsePhrase]
        if accountNames.isEmpty || own.contains(where: { text($0) != nil }) {
            if let account = account() { entries.append(.init(name: "default", account: account)) }
        }
        for name in accountNames {
            let currencies = currencies(of: name)
            if let account = account(named: name) {
                entries.append(.init(name: name, currencies: currencies, account: account))
            }
        }
        guard errors.isEmpty else { return nil }
        do throws(FortAccountsError) {
            return try FortAccounts(entries)
        } catch {
            add("fort.accounts: \(error)")
            return nil
        }
    }

    private mutating func account() -> FortAccount? {
        let accessCode = required(.fortAccessCode)
        let merchantIdentifier = required(.fortMerchantIdentifier)
        let type = value(.fortSignatureType, default: .standard, expected: "one of \(Self.signatureTypes)") {
            FortSignatureType(rawValue: $0)
        }
        return account(
            accessCode, merchantIdentifier, type, secret(.fortRequestPhrase), secret(.fortResponsePhrase)
        ) { "PAYRELAY_FORT_\($0.uppercased())" }
    }

    private mutating func account(named name: String) -> FortAccount? {
        let accessCode = required(.accessCode, of: name)
        let merchantIdentifier = required(.merchantIdentifier, of: name)
        let key = AccountKey(.signatureType, of: name)
        var type = FortSignatureType.standard
        if let word = text(key) {
            if let known = FortSignatureType(rawValue: word) {
                type = known
            } else {
                add("\(key.text) must be one of \(Self.signatureTypes)")
            }
        }
        return account(
            accessCode, merchantIdentifier, type, secret(.requestPhrase, of: name), secret(.responsePhrase, of: name)
        ) { "fort.accounts.\(name).\($0)" }
    }

    /// - Parameter setting: the name of the setting behind a field at error.
    private mutating func account(
        _ accessCode: String, _ merchantIdentifier: String, _ type: FortSignatureType, _ requestPhrase: Secret,
        _ responsePhrase: Secret, setting: (String) -> String
    ) -> FortAccount? {
        guard ![accessCode, merchantIdentifier, requestPhrase.exposed, responsePhrase.exposed].contains("") else {
            return nil
        }
        do throws(ValidationErrors) {
            return try FortAccount(
                accessCode: accessCode, merchantIdentifier: merchantIdentifier, signatureType: type,
                requestPhrase: requestPhrase, responsePhrase: responsePhrase)
        } catch {
            for error in error.errors { add("\(setting(error.field)) \(error.detail)") }
            return nil
        }
    }

    private mutating func currencies(of name: String) -> Set<Currency> {
        let key = AccountKey(.currencies, of: name)
        var currencies: Set<Currency> = []
        for code in text(key)?.split(separator: ",") ?? [] {
            if let currency = Currency(code: FortField.trimmed(String(code))) {
                currencies.insert(currency)
            } else {
                add("\(key.text) has a currency that FORT does not know: \(code)")
            }
        }
        return currencies
    }

    private mutating func required(_ field: AccountKey.Field, of name: String) -> String {
        let key = AccountKey(field, of: name)
        if let text = text(key) { return text }
        add("\(key.text) is missing")
        return ""
    }

    private static let signatureTypes = FortSignatureType.allCases.map(\.rawValue).joined(separator: ", ")
}
