package import PayrelayPrimitives

/// Every setting there is, by what one wants to do.
public struct SettingCatalog: Sendable {
    public let groups: [SettingGroup]
    /// The sections of the file that can list several accounts of a gateway.
    public let accounts: [AccountSettings]
    /// Whether a variable of the environment that begins with `PAYRELAY_` has another purpose.
    let isOtherVariable: @Sendable (String) -> Bool

    public init(
        _ groups: [SettingGroup], accounts: [AccountSettings],
        isOtherVariable: @escaping @Sendable (String) -> Bool = { _ in false }
    ) {
        self.groups = groups
        self.accounts = accounts
        self.isOtherVariable = isOtherVariable
    }

    /// Those of all groups.
    public var all: [Setting] { groups.flatMap(\.settings) }

    /// The accounts' section that a path of the file leads into: `fort.accounts.uae.access_code`.
    func accounts(at path: [String]) -> AccountSettings? {
        guard path.count > 2, path[1] == "accounts" else { return nil }
        return accounts.first { $0.section == path[0] }
    }
}

/// The settings of one account of a gateway: for a single account they stand in the gateway's own section, and in the file several
/// accounts can be listed under `SECTION.accounts`, by the merchant's names for them.
public struct AccountSettings: Sendable {
    /// Of the file: the gateway's name.
    public let section: String
    /// The gateway's name for people.
    public let title: String
    /// The name of the account whose settings stand in the section itself.
    public let nameOfSingle: String
    public let settings: [Setting]
    /// Of each account in the list.
    let currencies: Setting

    /// - Parameters:
    ///   - singleHasCurrencies: whether the single account can list its currencies, too.
    ///   - currenciesOtherwise: what an account takes that lists none, in words.
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

    /// All that an account in the list can have.
    var ofEach: [Setting] { settings.filter { $0 != currencies } + [currencies] }

    /// Those of an account in the list.
    public func settings(of name: String) -> [Setting] { ofEach.map { $0.ofAccount(name) } }
}

extension SettingReader {
    /// The account that the section's own settings give, and those that the file lists.
    ///
    /// - Parameters:
    ///   - isRequired: whether it is an error where there is none.
    ///   - read: reads one account; what a setting is for it is what its parameter makes of the setting.
    /// - Returns: nil where there is none, or anything is wrong; every error is kept.
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

    /// Values that cannot make an account are errors of their settings.
    ///
    /// - Parameter name: nil for the account whose settings stand in the section itself.
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
                // What is missing, set twice, or stands in a file that cannot be read, is an error already.
                let names = [field, field.file].flatMap { [$0.name, $0.key] }
                if known.isDisjoint(with: names) { fail(field, error.detail) }
            }
            return nil
        }
    }

    /// Whether anything is said of an account.
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
