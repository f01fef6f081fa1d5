public import ApplePayToken
public import PayrelayPrimitives

/// A payment gateway: the service that moves the money.
///
/// An ``Outcome`` is `answered` only if it is proven that the answer comes from the gateway and is about the order.
/// If an answer proves nothing, the outcome is `unknown`.
public protocol Gateway: Sendable {
    /// The gateway's name in accounts, receipts, the journal, `/ready` and metrics: lower case letters and digits.
    var name: String { get }

    /// The gateway's name for people.
    var title: String { get }

    /// The merchant's accounts at the gateway, in the order of the configuration. Not empty.
    var accounts: [GatewayAccount] { get }

    /// The time limit for one request to the gateway. When it passes, the payment becomes `uncertain`.
    var longestExchange: Duration { get }

    /// The time after which the gateway's totals show every refund that was carried out. Totals without a refund prove
    /// nothing of it before that. Zero if the totals show refunds at once.
    var refundsShownAfter: Duration { get }

    /// The fields of an order that the gateway accepts.
    var orderFields: [OrderField] { get }

    /// Validates a request's fields and its token, and reports every field that is missing, unknown or out of its
    /// limits.
    ///
    /// - Parameters:
    ///   - fields: the order's fields under the names of the API.
    ///   - account: the account that is to charge the order, one of ``accounts``.
    ///   - token: the token that is to pay. A gateway may require parts of it that are optional for Apple.
    func prepare(
        _ fields: [String: String], account: String, with token: PaymentToken
    ) throws(ValidationErrors) -> any PreparedCharge

    /// Validates a recurring payment: a charge of a card that the gateway has stored. No Apple Pay token pays it.
    func prepareRecurring(
        _ fields: [String: String], account: String
    ) throws(ValidationErrors) -> any PreparedCharge

    /// Returns every error of a request whose token could not be read, so that both can be reported at once.
    func validationErrors(in fields: [String: String]) -> [ValidationError]

    /// Returns the reason why an account cannot be charged yet; `nil` if it can be charged.
    ///
    /// An account can be charged after the gateway's first verified answer for it since this process started, and
    /// stays so. If the account was never queried, this queries it and waits for the end of that query, which has a
    /// time limit.
    ///
    /// - Parameter account: the merchant's name of one of ``accounts``.
    func whyUnverified(_ account: String) async -> UnverifiedAccount?

    /// Captures, voids or refunds. It is called once for an operation.
    ///
    /// - Parameter fields: the client's fields that only the gateway uses, under the names of the API.
    func perform(
        _ payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) async -> Outcome<GatewayAnswer>

    /// Returns every error of such a request, before anything is recorded.
    func validationErrors(
        in payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) -> [ValidationError]

    /// Queries the gateway about a payment. A query changes nothing and may be repeated. The answer may be about another
    /// charge with the payment's reference, and then names that charge's number.
    func status(of payment: Payment) async -> Outcome<GatewayAnswer>

    /// Queries the gateway about a reference that is not known here.
    ///
    /// - Parameter account: the merchant's name of the account that is queried.
    func status(of merchantReference: String, account: String) async -> Outcome<GatewayAnswer>

    /// Whether ``status(of:charge:)`` can find the charge of this number, although ``status(of:)`` may not show it.
    ///
    /// - Parameter gatewayReference: the number in a notification, which is untrusted input.
    func canQuery(charge gatewayReference: String) -> Bool

    /// Queries the one charge with this number among the charges with the payment's reference. A query changes
    /// nothing and may be repeated.
    ///
    /// - Parameter gatewayReference: the gateway's number of the charge, for which ``canQuery(charge:)`` is `true`.
    ///   An answer that names another number proves nothing about this charge.
    func status(of payment: Payment, charge gatewayReference: String) async -> Outcome<GatewayAnswer>
}

/// The defaults for a gateway whose answer about a reference shows every charge with it, so that no charge is queried by
/// its number, and whose totals show refunds at once.
extension Gateway {
    public var refundsShownAfter: Duration { .zero }

    public func canQuery(charge gatewayReference: String) -> Bool { false }

    public func status(of payment: Payment, charge gatewayReference: String) async -> Outcome<GatewayAnswer> {
        await status(of: payment)
    }
}

/// One of the merchant's accounts at a gateway.
public struct GatewayAccount: Sendable, Equatable {
    /// The merchant's name of the account. It is unique among the accounts of all gateways.
    public let name: String
    /// The gateway's identifier of the merchant (for example a `merchant_identifier`). The account's name can be
    /// given to another merchant's account later, so a payment keeps this identifier beside the name.
    public let merchantIdentifier: String
    /// The currencies of the orders that go to this account without naming it. If there are none, the account takes
    /// every order that names it. If the first of all accounts has none, it also takes the orders that no other
    /// account takes.
    public let currencies: Set<Currency>

    public init(name: String, merchantIdentifier: String, currencies: Set<Currency> = []) {
        self.name = name
        self.merchantIdentifier = merchantIdentifier
        self.currencies = currencies
    }
}

/// A charge that its gateway has validated and that only needs to be sent. There is no other way to charge, so a
/// charge that was not validated cannot be sent.
public protocol PreparedCharge: Sendable {
    /// The name of the gateway that validated the charge.
    var gateway: String { get }
    var order: Order { get }
    /// The token that pays; `nil` if a stored card pays.
    var token: PaymentToken? { get }

    /// Sends the charge. It is called once, and a failed charge is never attempted again without the client.
    ///
    /// An answer counts as `answered` only if it states the order's amount as it was sent. The success of the
    /// charge then proves this amount. An answer to a query proves only an amount that it states.
    func send() async -> Outcome<GatewayAnswer>
}
