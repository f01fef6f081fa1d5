public import PayrelayAPI

/// A client of payrelay for apps. It pays an order with an Apple Pay token, and looks up the outcome of a
/// payment.
///
/// The client sends the same bytes with the same reference until the relay has responded or the time limit has
/// passed. The relay charges an order once, however many requests arrive. An unknown outcome is never reported as
/// a success or a failure.
///
/// ```swift
/// let client = RelayClient(.production(relayURL)) { reference in try await shop.orderToken(for: reference) }
/// switch try await client.pay(order, with: token) {
/// case .authorized(let receipt), .captured(let receipt): show(receipt)
/// case .uncertain: lookAgainLater(order.merchantReference)
/// case .declined, .notProcessed, .returned: offerAnotherCard()
/// }
/// ```
public struct RelayClient: RelayPayments {
    /// The time limits, the delays and the clock of a client. Each has a default.
    public struct Settings: Sendable {
        /// The time limit for one exchange. After it, the request is sent again, and the relay responds that the
        /// first one is under way.
        public var attemptTimeLimit = TimeLimit.seconds(10)
        /// How long the Apple Pay token is sent after ``RelayClient/pay(_:with:within:)`` began. By default, the
        /// relay rejects a token 300 seconds after it was signed.
        public var tokenLifetime = TimeLimit.seconds(240)
        /// The delay between two attempts.
        public var retryDelay = RetryDelay()
        /// The clock: the device's clock, unless a test replaces it.
        public var clock: any RelayClock = SystemClock()
        /// Called after each request to the relay, on any thread. It must not block.
        public var log: (@Sendable (RelayAttempt) -> Void)?

        /// Creates the default settings.
        public init() {}
    }

    let environment: RelayEnvironment
    let transport: any RelayTransport
    let settings: Settings
    let orderToken: @Sendable (_ merchantReference: String) async throws -> String

    /// - Parameters:
    ///   - environment: the relay's address.
    ///   - transport: sends the requests.
    ///   - settings: time limits and delays. The defaults fit a payment sheet.
    ///   - orderToken: requests an order token for a merchant reference from the app's own backend: a JWT that
    ///     pins the order. The backend knows the order's amount, so the phone does not send it. The function is
    ///     called once for a payment, and once more if the token expires in the meantime. It should end when its
    ///     task is cancelled. The client does not wait for it after the time limit, and drops a later result.
    public init(
        _ environment: RelayEnvironment, transport: any RelayTransport = URLSessionTransport(),
        settings: Settings = Settings(),
        orderToken: @escaping @Sendable (_ merchantReference: String) async throws -> String
    ) {
        self.environment = environment
        self.transport = transport
        self.settings = settings
        self.orderToken = orderToken
    }

    /// Pays an order, and waits for its outcome.
    ///
    /// A repeated call with the same order and token is safe, because the relay returns the same payment. While
    /// the call runs, iOS is requested not to suspend the app if it goes into the background.
    ///
    /// - Parameters:
    ///   - order: the order to pay.
    ///   - token: the token that the customer authorized for this order.
    ///   - limit: the time limit. Apple's payment sheet closes by itself after about 30 seconds.
    /// - Returns: `.uncertain` if the outcome is not known when the time limit has passed.
    /// - Throws: ``RelayError``. ``RelayError/mayHaveBeenCharged`` says whether the customer may be asked to pay
    ///   again.
    public func pay(
        _ order: Order, with token: AppleToken, within limit: TimeLimit
    ) async throws(RelayError) -> PaymentResult {
        try await pay(order, with: token, orderToken: nil, within: limit)
    }

    /// The same with an order token that the app already has. If the token is `nil` or expires in the meantime,
    /// the client's function is called.
    public func pay(
        _ order: Order, with token: AppleToken, orderToken: String?, within limit: TimeLimit
    ) async throws(RelayError) -> PaymentResult {
        var exchange = try PaymentExchange(
            client: self, order: AskedOrder(merchantReference: order.merchantReference, order: order),
            body: order.body(with: token), orderToken: orderToken, limit: limit)
        let time = BackgroundTime()
        defer { time.end() }
        return try await exchange.run()
    }

    /// Looks up a payment until its outcome is known or the time limit has passed. Use it for a payment that was
    /// `.uncertain`, or whose response was lost, even after a restart of the app.
    ///
    /// Only the reference is compared, so compare the receipt's amount with yours. An order may always be paid
    /// again under the same reference, because the relay charges a reference once. An error of this call is never
    /// a reason to pay under another reference.
    ///
    /// - Returns: `.uncertain` if the outcome is not known when the time limit has passed.
    /// - Throws: ``RelayError/noSuchPayment`` if the relay had no such payment until the end;
    ///   ``RelayError/noAnswer``, ``RelayError/cancelled(mayHaveBeenSent:)``, or ``RelayError/unreadable(_:)``
    ///   with the cause. After each of these errors the customer may have been charged.
    public func outcome(
        of merchantReference: String, within limit: TimeLimit
    ) async throws(RelayError) -> PaymentResult {
        do throws(RelayError) {
            var exchange = try PaymentExchange(
                client: self, order: AskedOrder(merchantReference: merchantReference, order: nil), body: nil,
                limit: limit)
            return try await exchange.run()
        } catch {
            throw error.ofALookUp
        }
    }

    /// The clock of the settings.
    public var clock: any RelayClock { settings.clock }

    /// The same for an order whose amount is known.
    ///
    /// - Throws: the same errors, and ``RelayError/referenceTaken(by:)`` if the reference belongs to a payment
    ///   with another amount, currency or command.
    package func outcome(of order: Order, within limit: TimeLimit) async throws(RelayError) -> PaymentResult {
        let result = try await outcome(of: order.merchantReference, within: limit)
        if let receipt = result.receipt,
            !AskedOrder(merchantReference: order.merchantReference, order: order).isMeant(by: receipt)
        {
            throw .referenceTaken(by: receipt)
        }
        return result
    }
}
