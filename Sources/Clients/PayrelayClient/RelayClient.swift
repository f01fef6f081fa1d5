public import PayrelayAPI

/// A client of payrelay for apps: pays an order with an Apple Pay token, and looks up the outcome of a payment.
///
/// It sends the same bytes with the same reference until the relay has answered, or the time is over; the relay charges
/// an order once, however many requests arrive. An unknown outcome is never reported as a success or a failure.
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
    /// Time limits, delays and the clock of a client. Each has a default.
    public struct Settings: Sendable {
        /// Time limit of one exchange. A slower one is sent again: the relay answers that the first is under way.
        public var attemptTimeLimit = TimeLimit.seconds(10)
        /// For how long after ``RelayClient/pay(_:with:within:)`` began the Apple Pay token is sent. The relay refuses it
        /// 300 seconds after it was signed, unless it is configured otherwise.
        public var tokenLifetime = TimeLimit.seconds(240)
        /// How long to wait between two attempts.
        public var retryDelay = RetryDelay()
        /// The device's clock, unless a test gives another.
        public var clock: any RelayClock = SystemClock()
        /// Called after each request to the relay, from any thread; it must not block.
        public var log: (@Sendable (RelayAttempt) -> Void)?

        /// The default settings.
        public init() {}
    }

    let environment: RelayEnvironment
    let transport: any RelayTransport
    let settings: Settings
    let orderToken: @Sendable (_ merchantReference: String) async throws -> String

    /// - Parameters:
    ///   - environment: where the relay is.
    ///   - transport: what carries the requests.
    ///   - settings: time limits and delays; the default is right for a payment sheet.
    ///   - orderToken: requests an order token for this merchant reference from the app's own backend: a JWT that pins the
    ///     order. The backend knows the order's amount, so the phone does not send it. The function is called once for a
    ///     payment, and once more if the token has expired meanwhile. It should end when its task is cancelled. The client
    ///     does not wait for it beyond the time limit, and drops what it returns later.
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
    /// Calling it again with the same order and token is safe: the relay returns the same payment. Meanwhile iOS is asked not to
    /// suspend an app that goes into the background.
    ///
    /// - Parameters:
    ///   - order: what is to be paid.
    ///   - token: what the customer authorized for this order.
    ///   - limit: Apple's payment sheet gives up after about 30 seconds.
    /// - Returns: `.uncertain` where the outcome is not known when the time is over.
    /// - Throws: ``RelayError``; ``RelayError/mayHaveBeenCharged`` tells whether the customer may be asked to pay again.
    public func pay(
        _ order: Order, with token: AppleToken, within limit: TimeLimit
    ) async throws(RelayError) -> PaymentResult {
        try await pay(order, with: token, orderToken: nil, within: limit)
    }

    /// The same with an order token that the app has already. If it is nil, or expires meanwhile, the client's function is asked.
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

    /// Looks up a payment until its outcome is known or the time is over: one that was `.uncertain`, or one whose
    /// answer was lost, also after the app was started anew.
    ///
    /// It knows the reference alone: compare the receipt's amount with yours. An order may always be paid again under the
    /// same reference, which the relay charges once; never under another one because of an error of this call.
    ///
    /// - Returns: `.uncertain` where the outcome is not known when the time is over.
    /// - Throws: ``RelayError/noSuchPayment`` where the relay had none for all of the time; ``RelayError/noAnswer``,
    ///   ``RelayError/cancelled(mayHaveBeenSent:)``, or ``RelayError/unreadable(_:)`` with the cause. After each of them
    ///   the customer may have been charged.
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

    /// That of the settings.
    public var clock: any RelayClock { settings.clock }

    /// The same for an order whose amount is known.
    ///
    /// - Throws: also ``RelayError/referenceTaken(by:)`` where the reference pays another amount, currency or command.
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
