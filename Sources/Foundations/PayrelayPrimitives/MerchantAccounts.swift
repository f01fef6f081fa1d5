/// A merchant's account at a gateway.
public protocol MerchantAccount: Sendable, Equatable {
    /// The gateway's name for ``identifier``, for people.
    static var identifierName: String { get }
    /// The identifier by which the gateway's messages name the account. Nothing else in a message identifies it.
    var identifier: String { get }
}

/// A merchant's accounts at one gateway: often one for each country, company or currency.
public struct MerchantAccounts<Account: MerchantAccount>: Sendable, Equatable, Redacted {
    /// An account with the merchant's name for it.
    public struct Entry: Sendable, Equatable {
        /// The merchant's name for the account.
        public let name: String
        /// The currencies of the orders that use this account if they name no account; empty for any currency.
        public let currencies: Set<Currency>
        public let account: Account

        public init(name: String, currencies: Set<Currency> = [], account: Account) {
            self.name = name
            self.currencies = currencies
            self.account = account
        }
    }

    /// The accounts; never empty, with distinct identifiers.
    public let entries: [Entry]

    /// - Throws: ``MerchantAccountsError`` if there is no account or an identifier is repeated.
    public init(_ entries: [Entry]) throws(MerchantAccountsError) {
        guard !entries.isEmpty else { throw .none }
        guard Set(entries.map(\.account.identifier)).count == entries.count else {
            throw .repeated(Account.identifierName)
        }
        self.entries = entries
    }

    /// Creates a list with one account for every order.
    public init(_ account: Account) {
        entries = [Entry(name: "default", account: account)]
    }

    public func entry(named name: String) -> Entry? { entries.first { $0.name.isExactly(name) } }

    @inlinable package func entry(identifiedBy identifier: String) -> Entry? {
        entries.first { $0.account.identifier.isExactly(identifier) }
    }

    public var description: String { "accounts \(entries.map(\.name).joined(separator: ", "))" }
}

/// Why a list of accounts is invalid.
public enum MerchantAccountsError: Error, Hashable, Sendable, CustomStringConvertible {
    case none
    /// Two accounts have the same identifier. The associated value is the identifier's name.
    case repeated(String)

    public var description: String {
        switch self {
        case .none: "there is no account"
        case .repeated(let name): "two accounts have the same \(name)"
        }
    }
}

/// A client for each of the merchant's accounts at one gateway.
public struct AccountClients<Account: MerchantAccount, Client: Sendable>: Sendable {
    public typealias Choice = (entry: MerchantAccounts<Account>.Entry, client: Client)

    public let accounts: MerchantAccounts<Account>
    /// The clients, in the order of the accounts' entries.
    @usableFromInline let choices: [Choice]

    public init(_ accounts: MerchantAccounts<Account>, client: (Account) -> Client) {
        self.accounts = accounts
        choices = accounts.entries.map { ($0, client($0.account)) }
    }

    /// - Parameter name: the merchant's name for the account; `nil` selects the first account.
    /// - Returns: `nil` if there is no such account.
    @inlinable package func choice(named name: String?) -> Choice? {
        guard let name else { return choices.first }
        return choices.first { $0.entry.name.isExactly(name) }
    }
}
