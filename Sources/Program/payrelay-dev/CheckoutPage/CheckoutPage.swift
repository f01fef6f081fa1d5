import AccessControl
import HTTPListener
import HTTPTypes
import PayrelayPrimitives
import RelayServer

/// The checkout page of `payrelay-dev` and the backend that the page uses. `payrelay serve` does not have it.
struct CheckoutPage: Sendable {
    private let log: ExchangeLog
    private let orderTokens: JWTSigningKey
    private let validationURL: String
    private let orders: BrowserOrders

    /// - Parameters:
    ///   - log: the exchanges that the page shows after each payment.
    ///   - orderTokens: signs the order tokens with which the page pays.
    ///   - validationURL: the validation URL that the simulated sheet gives to the page instead of Apple's.
    ///   - isTLS: whether browsers reach the page over TLS.
    init(log: ExchangeLog, orderTokens: JWTSigningKey, validationURL: String, isTLS: Bool) {
        self.log = log
        self.orderTokens = orderTokens
        self.validationURL = validationURL
        orders = BrowserOrders(isTLS: isTLS)
    }

    var routes: [Route] {
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
