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

    /// Not empty. The names and the payees differ, and no currency is listed twice.
    public let entries: [Entry]

    /// - Throws: ``PortmoneAccountsError`` where it would not be clear which account to take.
    public init(_ entries: [Entry]) throws(PortmoneAccountsError) {
        guard !entries.isEmpty else { throw .none }
        if let name = entries.map(\.name).firstRepeated { throw .repeatedName(name) }
        if let payee = entries.map(\.account.payeeID).firstRepeated { throw .repeatedPayee(payee) }
        if let currency = entries.flatMap(\.currencies).firstRepeated { throw .repeatedCurrency(currency.code) }
        self.entries = entries
    }

    public func entry(named name: String) -> Entry? { entries.first { $0.name.isExactly(name) } }

    public func entry(payeeID: String) -> Entry? { entries.first { $0.account.payeeID.isExactly(payeeID) } }

    /// The account for an order that names none: the one that lists the currency; where none does, the first, unless that
    /// lists others.
    public func entry(for currency: Currency) -> Entry? {
        entries.first { $0.currencies.contains(currency) } ?? entries.first.flatMap { $0.currencies.isEmpty ? $0 : nil }
    }

    public var description: String { "Portmone accounts \(entries.map(\.name).joined(separator: ", "))" }
}

/// Why accounts do not make a ``PortmoneAccounts``.
public enum PortmoneAccountsError: Error, Hashable, Sendable, CustomStringConvertible {
    case none
    case repeatedName(String)
    case repeatedPayee(String)
    case repeatedCurrency(String)

    public var description: String {
        switch self {
        case .none: "there is no account"
        case .repeatedName(let name): "two accounts are named \(name)"
        case .repeatedPayee(let payee): "two accounts are of the payee \(payee)"
        case .repeatedCurrency(let code): "two accounts take \(code)"
        }
    }
}

extension Sequence where Element: Hashable {
    /// The first element that an earlier one equals.
    fileprivate var firstRepeated: Element? {
        var seen: Set<Element> = []
        return first { !seen.insert($0).inserted }
    }
}
