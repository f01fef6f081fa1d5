public import PayrelayPrimitives

/// A merchant's accounts at Portmone: one payee for each company or currency, often.
public struct PortmoneAccounts: Sendable, Equatable, Redacted {
    /// An account, as the merchant calls it.
    public struct Entry: Sendable, Equatable {
        /// The merchant's own name for the account.
        public let name: String
        /// The currencies that it takes; empty for any.
        public let currencies: Set<Currency>
        public let account: PortmoneAccount

        public init(name: String, currencies: Set<Currency> = [], account: PortmoneAccount) {
            self.name = name
            self.currencies = currencies
            self.account = account
        }

        public func takes(_ currency: Currency) -> Bool { currencies.isEmpty || currencies.contains(currency) }

        /// The currency of every bill of the account; nil where it takes several.
        public var onlyCurrency: Currency? { currencies.count == 1 ? currencies.first : nil }
    }

    /// Not empty. The payees differ.
    public let entries: [Entry]

    /// - Throws: ``PortmoneAccountsError``.
    public init(_ entries: [Entry]) throws(PortmoneAccountsError) {
        guard !entries.isEmpty else { throw .none }
        // A notification names its account by the payee alone.
        guard Set(entries.map(\.account.payeeID)).count == entries.count else { throw .repeatedPayee }
        self.entries = entries
    }

    public func entry(named name: String) -> Entry? { entries.first { $0.name.isExactly(name) } }

    public func entry(payeeID: String) -> Entry? { entries.first { $0.account.payeeID.isExactly(payeeID) } }

    public var description: String { "Portmone accounts \(entries.map(\.name).joined(separator: ", "))" }
}

/// Why accounts do not make a ``PortmoneAccounts``.
public enum PortmoneAccountsError: Error, Hashable, Sendable, CustomStringConvertible {
    case none
    case repeatedPayee

    public var description: String {
        switch self {
        case .none: "there is no account"
        case .repeatedPayee: "two accounts are of the same payee"
        }
    }
}
