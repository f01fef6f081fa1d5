public import OutboundHTTP
import PaymentRelay
import PayrelayPrimitives
public import PortmoneAPI

/// A client for each of the merchant's accounts.
public struct PortmoneClients: Sendable {
    public let accounts: PortmoneAccounts
    /// In the order of the accounts' entries.
    private let clients: [PortmoneClient]

    /// - Parameter observe: called after each exchange of each client; must not block.
    public init(
        accounts: PortmoneAccounts, endpoint: PortmoneEndpoint, transport: any GatewayTransport,
        observe: @escaping @Sendable (PortmoneExchange) -> Void = { _ in }
    ) {
        self.accounts = accounts
        clients = accounts.entries.map {
            PortmoneClient(account: $0.account, endpoint: endpoint, transport: transport, observe: observe)
        }
    }

    /// - Parameter name: the merchant's own for the account; nil takes the first.
    /// - Returns: nil where there is no such account.
    func choice(named name: String?) -> AccountChoice? {
        guard let name else { return AccountChoice(entry: accounts.entries[0], client: clients[0]) }
        return accounts.entries.firstIndex { $0.name.isExactly(name) }.map {
            AccountChoice(entry: accounts.entries[$0], client: clients[$0])
        }
    }
}

extension AccountChoice {
    /// Everything for which the account cannot charge the order.
    func errors(in order: [String: String]) -> [ValidationError] {
        let currency = order["currency"].flatMap(Currency.init(code:))
        var errors: [ValidationError] = []
        if let currency, !entry.takes(currency) {
            errors.append(
                ValidationError(
                    field: "currency",
                    detail:
                        "must be one of \(entry.currencies.map(\.code).sorted().joined(separator: ", ")), which the account \(entry.name) takes"
                ))
        }
        switch (order["command"].flatMap(Order.Command.init), entry.account.preauthorization) {
        case (.authorization, .never):
            errors.append(
                ValidationError(
                    field: "command",
                    detail:
                        "must be PURCHASE: the account \(entry.name) is not configured for AUTHORIZATION, a preauthorization"
                ))
        case (.purchase, .always):
            errors.append(
                ValidationError(
                    field: "command",
                    detail: "must be AUTHORIZATION: every charge of the account \(entry.name) is a preauthorization"))
        default: break
        }
        return errors
    }
}

/// An account and its client.
struct AccountChoice: Sendable {
    let entry: PortmoneAccounts.Entry
    let client: PortmoneClient

    /// Returns the identity that an answer must match to prove anything of a payment.
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
