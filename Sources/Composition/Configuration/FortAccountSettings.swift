import FortAPI
import PayrelayPrimitives

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

/// The key of a setting of one account among several, which stand in the file alone: `fort.accounts.NAME.access_code`.
struct AccountKey {
    enum Field: String, CaseIterable {
        case accessCode = "access_code"
        case merchantIdentifier = "merchant_identifier"
        case signatureType = "signature_type"
        case requestPhrase = "request_phrase"
        case responsePhrase = "response_phrase"
        /// ISO 4217 codes with commas between them.
        case currencies
    }

    let name: String
    let field: Field
    /// Whether it names the file that holds the value.
    let isFile: Bool

    init(_ field: Field, of name: String, isFile: Bool = false) {
        self.name = name
        self.field = field
        self.isFile = isFile
    }

    /// Nil where the text is no such key.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "fort", parts[1] == "accounts", !parts[2].isEmpty else { return nil }
        let isFile = parts[3].hasSuffix("_phrase_file")
        guard let field = Field(rawValue: String(isFile ? parts[3].dropLast("_file".count) : parts[3])) else {
            return nil
        }
        self.init(field, of: String(parts[2]), isFile: isFile)
    }

    static func isOne(_ text: String) -> Bool { AccountKey(text) != nil }

    var text: String { "fort.accounts.\(name).\(field.rawValue)\(isFile ? "_file" : "")" }
}
