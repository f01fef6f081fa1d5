package import PayrelayPrimitives

/// All settings, grouped by purpose.
public struct SettingCatalog: Sendable {
    public let groups: [SettingGroup]
    /// The sections of the file that can list several accounts of a gateway.
    public let accounts: [AccountSettings]
    /// Whether an environment variable that begins with `PAYRELAY_` is not a setting but has another purpose.
    let isOtherVariable: @Sendable (String) -> Bool

    public init(
        _ groups: [SettingGroup], accounts: [AccountSettings],
        isOtherVariable: @escaping @Sendable (String) -> Bool = { _ in false }
    ) {
        self.groups = groups
        self.accounts = accounts
        self.isOtherVariable = isOtherVariable
    }

    /// The settings of all groups.
    public var all: [Setting] { groups.flatMap(\.settings) }

    /// Returns the account section that a path of the file leads into, such as `fort.accounts.uae.access_code`.
    func accounts(at path: [String]) -> AccountSettings? {
        guard path.count > 2, path[1] == "accounts" else { return nil }
        return accounts.first { $0.section == path[0] }
    }
}

/// The settings of one account of a gateway. The settings of a single account are in the gateway's own section.
/// The file can also list several accounts under `SECTION.accounts`, by the merchant's names for them.
public struct AccountSettings: Sendable {
    /// The name of the section in the file, which is the gateway's name.
    public let section: String
    /// The gateway's name, for people.
    public let title: String
    /// The name of the account whose settings are in the section itself.
    public let nameOfSingle: String
    public let settings: [Setting]
    /// The setting for the currencies of each listed account.
    let currencies: Setting

    /// - Parameters:
    ///   - singleHasCurrencies: whether the single account has the setting for currencies, too.
    ///   - currenciesOtherwise: the currencies of an account that lists none, in words.
    public init(
        section: String, title: String, nameOfSingle: String, settings: [Setting], singleHasCurrencies: Bool = false,
        currenciesOtherwise: String = "any"
    ) {
        self.section = section
        self.title = title
        self.nameOfSingle = nameOfSingle
        currencies = Setting(
            "\(section).currencies", .list("ISO 4217 codes"), default: .none("none"),
            "The currencies that the account takes. Without it, \(currenciesOtherwise).", example: "AED, OMR")
        self.settings = settings + (singleHasCurrencies ? [currencies] : [])
    }

    /// All settings that a listed account can have.
    var ofEach: [Setting] { settings.filter { $0 != currencies } + [currencies] }

    /// Returns the settings of a listed account.
    public func settings(of name: String) -> [Setting] { ofEach.map { $0.ofAccount(name) } }
}

extension SettingReader {
    /// Reads the account in the section itself, or the accounts that the file lists.
    ///
    /// - Parameters:
    ///   - isRequired: whether it is an error if there is no account.
    ///   - read: reads one account. Its parameter `setting` maps each setting to the setting of that account.
    /// - Returns: `nil` if there is no account, or if anything is wrong. The reader keeps every error.
    package mutating func accounts<Account: MerchantAccount>(
        _ accounts: AccountSettings, isRequired: Bool,
        _ read: (inout SettingReader, _ setting: (Setting) -> Setting) throws(ValidationErrors) -> Account
    ) -> MerchantAccounts<Account>? {
        let known = errors.count
        let names = sources.accountNames(of: accounts)
        var entries: [MerchantAccounts<Account>.Entry] = []
        if hasOwnAccount(accounts) || names.isEmpty && isRequired {
            if let account = account(of: accounts, named: nil, read) {
                let currencies = accounts.settings.contains(accounts.currencies) ? currencies(accounts.currencies) : []
                entries.append(.init(name: accounts.nameOfSingle, currencies: currencies, account: account))
            }
        } else {
            for setting in accounts.settings where isSet(setting) {
                fail(
                    setting, "is without effect: \(accounts.settings[0].name) is not set",
                    advice: "Set it for the account that it is meant for, or leave it out.")
            }
        }
        for name in names {
            let currencies = currencies(accounts.currencies.ofAccount(name))
            if let account = account(of: accounts, named: name, read) {
                entries.append(.init(name: name, currencies: currencies, account: account))
            }
        }
        guard errors.count == known, !entries.isEmpty else { return nil }
        do throws(MerchantAccountsError) {
            return try MerchantAccounts(entries)
        } catch {
            add([
                SettingError(
                    name: "\(accounts.section).accounts", source: sources.filePath.map { .file(path: $0, line: 1) },
                    problem: "cannot be used: \(error)",
                    advice: "Each account has its own \(Account.identifierName).")
            ])
            return nil
        }
    }

    /// Reads one account. If the values cannot make an account, each problem becomes an error of its setting.
    ///
    /// - Parameter name: `nil` for the account whose settings are in the section itself.
    private mutating func account<Account>(
        of accounts: AccountSettings, named name: String?,
        _ read: (inout SettingReader, _ setting: (Setting) -> Setting) throws(ValidationErrors) -> Account
    ) -> Account? {
        let setting = { (setting: Setting) in name.map { setting.ofAccount($0) } ?? setting }
        do throws(ValidationErrors) {
            return try read(&self, setting)
        } catch {
            let known = Set(errors.map(\.name))
            for error in error.errors {
                let named = accounts.settings.first { $0.key.isExactly("\(accounts.section).\(error.field)") }
                let field = setting(named ?? accounts.settings[0])
                // A setting that is missing, set twice, or in an unreadable file already has an error.
                let names = [field, field.file].flatMap { [$0.name, $0.key] }
                if known.isDisjoint(with: names) { fail(field, error.detail) }
            }
            return nil
        }
    }

    /// Whether any account of the section is configured.
    package func hasAccount(_ accounts: AccountSettings) -> Bool {
        hasOwnAccount(accounts) || !sources.accountNames(of: accounts).isEmpty
    }

    private func hasOwnAccount(_ accounts: AccountSettings) -> Bool {
        accounts.settings.contains { $0.standard == .required && isSet($0) }
    }

    private mutating func currencies(_ setting: Setting) -> Set<Currency> {
        var currencies: Set<Currency> = []
        for code in list(setting) {
            if let currency = Currency(code: code) {
                currencies.insert(currency)
            } else {
                fail(setting, "has a currency that is not known: \(NearestName.shown(code))")
            }
        }
        return currencies
    }
}
