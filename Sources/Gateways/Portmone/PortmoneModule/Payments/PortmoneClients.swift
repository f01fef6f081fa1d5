public import OutboundHTTP
import PaymentRelay
public import PayrelayPrimitives
public import PortmoneAPI

public typealias PortmoneClients = AccountClients<PortmoneAccount, PortmoneClient>

extension PortmoneClients {
    /// - Parameter observe: called after each exchange of each client; must not block.
    public init(
        accounts: PortmoneAccounts, endpoint: PortmoneEndpoint, transport: any GatewayTransport,
        observe: @escaping @Sendable (PortmoneExchange) -> Void = { _ in }
    ) {
        self.init(accounts) {
            PortmoneClient(account: $0, endpoint: endpoint, transport: transport, observe: observe)
        }
    }
}

extension PortmoneAccounts.Entry {
    /// Returns every reason why the account cannot charge the order.
    func errors(in order: [String: String]) -> [ValidationError] {
        let currency = order["currency"].flatMap(Currency.init(code:))
        var errors: [ValidationError] = []
        if let currency, !acceptedCurrencies.contains(currency) {
            let codes = acceptedCurrencies.map(\.code).sorted().joined(separator: ", ")
            errors.append(
                ValidationError(
                    field: "currency", detail: "must be one of \(codes), which the account \(name) takes"))
        }
        switch (order["command"].flatMap(Order.Command.init), account.preauthorization) {
        case (.authorization, .never):
            errors.append(
                ValidationError(
                    field: "command",
                    detail:
                        "must be PURCHASE: the account \(name) is not configured for AUTHORIZATION, a preauthorization"
                ))
        case (.purchase, .always):
            errors.append(
                ValidationError(
                    field: "command",
                    detail: "must be AUTHORIZATION: every charge of the account \(name) is a preauthorization"))
        default: break
        }
        return errors
    }

    /// Returns the identity that an answer must match to prove anything about a payment.
    ///
    /// - Parameters:
    ///   - currency: the payment's currency; `nil` if no payment is known. The account's currency is then used,
    ///     if it accepts only one.
    ///   - amount: the payment's amount in minor units; `nil` if amounts are not compared.
    func identity(
        of merchantReference: String, currency: String?, amount: MinorUnits?
    ) -> PaymentIdentity {
        PaymentIdentity(
            payeeID: account.payeeID, shopOrderNumber: merchantReference,
            currency: currency.flatMap(Currency.init(code:)) ?? onlyCurrency, amount: amount)
    }
}
