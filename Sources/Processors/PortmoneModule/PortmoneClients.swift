import PaymentRelay
import PayrelayPrimitives
public import PortmoneAPI

/// A client for each of the merchant's accounts, and the choice among them: by the order's `account`, or by its currency.
public struct PortmoneClients: Sendable {
    public let accounts: PortmoneAccounts
    /// In the order of the accounts' entries.
    private let clients: [PortmoneClient]

    /// - Parameter observe: called after each exchange of each client; must not block.
    public init(
        accounts: PortmoneAccounts, endpoint: PortmoneEndpoint, transport: any PortmoneTransport,
        observe: @escaping @Sendable (PortmoneExchange) -> Void = { _ in }
    ) {
        self.accounts = accounts
        clients = accounts.entries.map {
            PortmoneClient(account: $0.account, endpoint: endpoint, transport: transport, observe: observe)
        }
    }

    /// - Parameters:
    ///   - name: the merchant's own for the account; nil lets the currency decide.
    ///   - currency: ISO 4217, alphabetic.
    /// - Returns: nil where there is no such account, or none for the currency.
    func choice(named name: String?, currency: String?) -> AccountChoice? {
        guard let chosen = entry(named: name, currency: currency),
            let place = accounts.entries.firstIndex(where: { $0.name.isExactly(chosen.name) })
        else { return nil }
        return AccountChoice(entry: chosen, client: clients[place])
    }

    private func entry(named name: String?, currency: String?) -> PortmoneAccounts.Entry? {
        if let name { return accounts.entry(named: name) }
        return currency.flatMap(Currency.init(code:)).flatMap(accounts.entry(for:))
    }

    /// Everything for which the account cannot charge the order. An unknown currency is not an error of the account.
    func errors(in order: [String: String]) -> [ValidationError] {
        let currency = order["currency"].flatMap(Currency.init(code:))
        guard let chosen = entry(named: order["account"], currency: order["currency"]) else {
            if order["account"] == nil, currency == nil { return [] }
            let names = accounts.entries.map(\.name).joined(separator: ", ")
            let detail =
                order["account"] == nil
                ? "is missing: no account is for this currency; there are \(names)" : "must be one of \(names)"
            return [ValidationError(field: "account", detail: detail)]
        }
        var errors: [ValidationError] = []
        if let currency, !chosen.takes(currency) {
            errors.append(
                ValidationError(
                    field: "currency",
                    detail:
                        "must be one of \(chosen.currencies.map(\.code).sorted().joined(separator: ", ")), which the account \(chosen.name) takes"
                ))
        }
        switch (order["command"].flatMap(Order.Command.init), chosen.account.preauthorization) {
        case (.authorization, .never):
            errors.append(
                ValidationError(
                    field: "command",
                    detail:
                        "must be PURCHASE: the account \(chosen.name) is not configured for AUTHORIZATION, a preauthorization"
                ))
        case (.purchase, .always):
            errors.append(
                ValidationError(
                    field: "command",
                    detail: "must be AUTHORIZATION: every charge of the account \(chosen.name) is a preauthorization"))
        default: break
        }
        return errors
    }
}

/// An account and its client.
struct AccountChoice: Sendable {
    let entry: PortmoneAccounts.Entry
    let client: PortmoneClient

    /// What an answer must be about.
    ///
    /// - Parameters:
    ///   - currency: of the payment; nil where no payment is known.
    ///   - amount: of the payment, in minor units.
    func identity(
        of merchantReference: String, currency: String?, amount: MinorUnits?
    ) -> PaymentIdentity {
        PaymentIdentity(
            payeeID: entry.account.payeeID, shopOrderNumber: merchantReference,
            currency: currency.flatMap(Currency.init(code:)) ?? entry.onlyCurrency, amount: amount)
    }
}
