import PayrelayPrimitives

/// The rule that decides which account an order goes to: the account that it names or, if it names none, the
/// account that takes its currency.
extension Gateways {
    /// Checks that accounts can be configured together.
    ///
    /// - Throws: ``AccountsError`` if there are none, or two have the same name or currency.
    public static func check(_ accounts: [GatewayAccount]) throws(AccountsError) {
        guard !accounts.isEmpty else { throw .none }
        if let name = accounts.map(\.name).firstRepeated { throw .repeatedName(name) }
        if let currency = accounts.flatMap(\.currencies).firstRepeated { throw .repeatedCurrency(currency.code) }
    }

    /// Chooses the account of an order, and takes the account out of the order's fields, because gateways have no
    /// such field.
    func choose(_ fields: [String: String]) -> ([String: String], Choice) {
        var fields = fields
        let name = fields.removeValue(forKey: "account")
        var chosen = choice(account: name, currency: fields["currency"])
        chosen.errors += Order.errors(ofReference: fields["merchant_reference"])
        return (fields, chosen)
    }

    /// Returns the account that an order names or, without a name, the account that takes its currency.
    ///
    /// If there is none, it is the first account, with an error. There is no error if the order names no account, and
    /// either the first account takes every currency, or the currency is unknown.
    ///
    /// - Parameters:
    ///   - name: the merchant's name of the account; `nil` lets the currency decide.
    ///   - currency: ISO 4217, alphabetic.
    private func choice(account name: String?, currency: String?) -> Choice {
        for gateway in all {
            for account in gateway.accounts {
                let isTaken =
                    if let name { account.name == name } else {
                        currency.flatMap(Currency.init(code:)).map(account.currencies.contains) ?? false
                    }
                if isTaken { return Choice(gateway: gateway, account: account.name) }
            }
        }
        // The initializer guarantees that neither list is empty.
        let (gateway, account) = (all[0], all[0].accounts[0])
        var choice = Choice(gateway: gateway, account: account.name)
        let isKnown = currency.flatMap(Currency.init(code:)) != nil
        // An unknown currency is an error of the currency, and not of the account.
        if name == nil, account.currencies.isEmpty || !isKnown { return choice }
        let names = all.flatMap(\.accounts).map(\.name).joined(separator: ", ")
        let detail =
            name == nil ? "is missing: no account is for this currency; there are \(names)" : "must be one of \(names)"
        choice.errors = [ValidationError(field: "account", detail: detail)]
        return choice
    }

    /// An account, its gateway, and the errors of the order that do not depend on the gateway.
    struct Choice {
        let gateway: any Gateway
        let account: String
        var errors: [ValidationError] = []
    }
}

/// Why accounts cannot be configured together.
public enum AccountsError: Error, Hashable, Sendable, CustomStringConvertible {
    case none
    case repeatedName(String)
    case repeatedCurrency(String)

    public var description: String {
        switch self {
        case .none: "there is no account"
        case .repeatedName(let name): "two accounts are named \(name)"
        case .repeatedCurrency(let code): "two accounts take \(code)"
        }
    }
}

extension Sequence where Element: Hashable {
    /// The first element that equals an earlier one.
    fileprivate var firstRepeated: Element? {
        var seen: Set<Element> = []
        return first { !seen.insert($0).inserted }
    }
}
