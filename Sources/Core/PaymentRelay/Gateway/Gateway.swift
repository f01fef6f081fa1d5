public import PayrelayPrimitives
public import ApplePayToken

/// The service that moves the money: a payment gateway.
///
/// An ``Outcome`` is `answered` only if the answer is proven to be the gateway's own and to be about the order. If an answer proves
/// nothing, the outcome is `unknown`.
public protocol Gateway: Sendable {
    /// Its name in accounts, receipts, the journal, `/ready` and metrics: lower case letters and digits.
    var name: String { get }

    /// Its name for people.
    var title: String { get }

    /// The merchant's accounts at it, in the order of the configuration. Not empty.
    var accounts: [GatewayAccount] { get }

    /// How long one request to it may take. After it a payment is uncertain.
    var longestExchange: Duration { get }

    /// The fields of an order that it takes.
    var orderFields: [OrderField] { get }

    /// Validates a request's fields and its token, and names every field that is missing, unknown or out of its limits.
    ///
    /// - Parameters:
    ///   - fields: the order's fields by the names of the API.
    ///   - account: one of ``accounts``, which is to charge it.
    ///   - token: the token that is to pay; a gateway may need parts of it that Apple lets be absent.
    func prepare(
        _ fields: [String: String], account: String, with token: PaymentToken
    ) throws(ValidationErrors) -> any PreparedCharge

    /// Validates a recurring payment: a charge of a card that the gateway has stored. No token of Apple's pays it.
    func prepareRecurring(
        _ fields: [String: String], account: String
    ) throws(ValidationErrors) -> any PreparedCharge

    /// Every error of a request whose token could not be read, so that both can be named at once.
    func validationErrors(in fields: [String: String]) -> [ValidationError]

    /// Returns the reason why an account cannot be charged yet; `nil` if it can be charged.
    ///
    /// An account can be charged after the gateway's first verified answer for it since this process started, and stays so. If the account
    /// was never queried, this queries it and waits for the end of that query, which has a time limit.
    ///
    /// - Parameter account: the merchant's name of one of ``accounts``.
    func whyUnverified(_ account: String) async -> UnverifiedAccount?

    /// Captures, voids or refunds. It is asked once for an operation.
    ///
    /// - Parameter fields: what the client sent for the gateway alone, by the names of the API.
    func perform(
        _ payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) async -> Outcome<GatewayAnswer>

    /// Every error of such a request, before anything is recorded.
    func validationErrors(
        in payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) -> [ValidationError]

    /// Asks what became of a payment. Asking changes nothing and may be repeated.
    func status(of payment: Payment) async -> Outcome<GatewayAnswer>

    /// Asks the same about a reference that is not known here.
    ///
    /// - Parameter account: the merchant's name of the account that is asked.
    func status(of merchantReference: String, account: String) async -> Outcome<GatewayAnswer>

    /// Whether ``status(of:charge:)`` can find the charge of this number, and ``status(of:)`` may not show it.
    ///
    /// - Parameter gatewayReference: what a notification names: hostile input.
    func canQuery(charge gatewayReference: String) -> Bool

    /// Queries the one charge under the payment's reference that has this number. A query changes nothing and may be repeated.
    ///
    /// - Parameter gatewayReference: the gateway's own number of the charge, for which ``canQuery(charge:)`` is true. An answer that
    ///   names another number proves nothing about it.
    func status(of payment: Payment, charge gatewayReference: String) async -> Outcome<GatewayAnswer>
}

/// A gateway whose answer about a reference shows every charge under it: no charge is queried by its number.
extension Gateway {
    public func canQuery(charge gatewayReference: String) -> Bool { false }

    public func status(of payment: Payment, charge gatewayReference: String) async -> Outcome<GatewayAnswer> {
        await status(of: payment)
    }
}

/// One of the merchant's accounts at a gateway.
public struct GatewayAccount: Sendable, Equatable {
    /// The merchant's own name for it, which no other account has, of whatever gateway.
    public let name: String
    /// The gateway's identifier of the merchant (a `merchant_identifier`, for example). A name can be given to another
    /// merchant's account later, so a payment keeps this identifier beside the name.
    public let merchantIdentifier: String
    /// The currencies of the orders that take this account without naming it. Where there are none, it takes any that is asked of it
    /// by name, and the first of all accounts takes what no other does.
    public let currencies: Set<Currency>

    public init(name: String, merchantIdentifier: String, currencies: Set<Currency> = []) {
        self.name = name
        self.merchantIdentifier = merchantIdentifier
        self.currencies = currencies
    }
}

/// A charge that its gateway has validated: nothing is left but to send it. There is no other way to charge, so what
/// was not validated cannot be sent.
public protocol PreparedCharge: Sendable {
    /// The name of the gateway that made it.
    var gateway: String { get }
    var order: Order { get }
    /// The token that pays it; nil where a stored card does.
    var token: PaymentToken? { get }

    /// Charges. It is called once; a failure is never tried again behind the client's back.
    ///
    /// An answer counts as `answered` only if it states the order's amount as it was sent: that the charge succeeded then proves this
    /// amount. An answer to a query proves no amount that it does not state.
    func send() async -> Outcome<GatewayAnswer>
}
