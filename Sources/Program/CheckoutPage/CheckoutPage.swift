public import AccessControl
import HTTPListener
import HTTPTypes
import PayrelayPrimitives
public import RelayServer

/// The checkout page of `payrelay-dev`, and what it asks of its own backend. `payrelay serve` has none of it.
public struct CheckoutPage: Sendable {
    private let log: ExchangeLog
    private let orderTokens: JWTSigningKey
    private let validationURL: String
    private let orders: BrowserOrders

    /// - Parameters:
    ///   - log: what the page shows after each payment.
    ///   - orderTokens: signs the order tokens that the page pays with.
    ///   - validationURL: what the simulated sheet gives the page, in place of Apple's.
    ///   - isTLS: whether browsers reach the page over TLS.
    public init(log: ExchangeLog, orderTokens: JWTSigningKey, validationURL: String, isTLS: Bool) {
        self.log = log
        self.orderTokens = orderTokens
        self.validationURL = validationURL
        orders = BrowserOrders(isTLS: isTLS)
    }

    public var routes: [Route] {
        let files = PageFile.all.map { file in
            Route(.get, file.path, access: .ownPage) { _ in file.answer }
        }
        return files + [
            post("/_dev/tokens", MintToken().respond),
            post("/_dev/order-tokens", IssueOrderToken(key: orderTokens, orders: orders).respond),
            Route(.get, "/_dev/validation-url", access: .ownPage) { [validationURL] _ in
                Answer(json: ["validation_url": .string(validationURL)])
            },
            Route(
                .get, "/_dev/exchanges/{merchant_reference}", access: .clientsAndOrderTokens(with: .paymentsRead),
                respond: GetExchanges(log: log).respond),
        ]
    }

    private func post(_ path: String, _ respond: @escaping Route.Respond) -> Route {
        Route(.post, path, access: .ownPage, bodyLimit: 16_384, respond: respond)
    }
}
