public import ApplePayToken
public import FoundationEssentials
import OutboundHTTP
public import PaymentRelay
public import PayrelayPrimitives
import PortmoneAPI

/// Portmone as a ``Gateway``. It turns an order and a token into an `APay` request, and the proof in an answer
/// into the answer's meaning.
///
/// The wire format is documented by the community: `PortmoneAPI` contains everything that is published. Not
/// tested against a live Portmone. Only this target knows both Portmone and the relay's core. ``MeaningOfOrders``
/// decides what Portmone's statuses mean for a payment.
public struct PortmoneGateway: Gateway {
    let clients: PortmoneClients
    public let accounts: [GatewayAccount]
    /// The time limit for all exchanges of one call. When it passes, the payment becomes `uncertain`.
    let timeout: Duration
    private let closing: ThreeDSecureClosing
    let unseenReturn: UnseenReturn
    private let verification: @Sendable (_ account: String) async -> UnverifiedAccount?
    let now: @Sendable () -> Date
    private let alert: @Sendable (PortmoneAlert) -> Void

    /// - Parameters:
    ///   - closing: the rule for a charge that can be completed only on a page of the bank.
    ///   - unseenReturn: how long a refund that `result` does not show may still be processed.
    ///   - whyUnverified: see ``whyUnverified(_:)``. The service passes its account probe's function. By default
    ///     every account can be charged.
    ///   - now: the clock for payments.
    ///   - alert: called each time when a condition is found that an operator must look into; must not block.
    public init(
        clients: PortmoneClients, timeout: Duration, closing: ThreeDSecureClosing = ThreeDSecureClosing(),
        unseenReturn: UnseenReturn = UnseenReturn(),
        whyUnverified: @escaping @Sendable (_ account: String) async -> UnverifiedAccount? = { _ in nil },
        now: @escaping @Sendable () -> Date = { Date() },
        alert: @escaping @Sendable (PortmoneAlert) -> Void = { _ in }
    ) {
        self.clients = clients
        accounts = clients.accounts.entries.map { GatewayAccount($0) }
        self.timeout = timeout
        self.closing = closing
        self.unseenReturn = unseenReturn
        verification = whyUnverified
        self.now = now
        self.alert = alert
    }

    public var name: String { PortmoneModule.name }
    public var title: String { PortmoneModule.title }
    /// All exchanges of a call end within the timeout, but the last one may have waited for a slot.
    public var longestExchange: Duration { timeout + GatewayLimits.patience }
    public var refundsShownAfter: Duration { unseenReturn.isFinalAfter }
    public var orderFields: [OrderField] { Self.orderFields }

    public func prepare(
        _ fields: [String: String], account: String, with token: PaymentToken
    ) throws(ValidationErrors) -> any PreparedCharge {
        try PortmoneCharge(fields, account: account, token: token, for: self)
    }

    /// Rejects every recurring payment: Portmone publishes no charge of a card that it stored through `APay`.
    public func prepareRecurring(
        _ fields: [String: String], account: String
    ) throws(ValidationErrors) -> any PreparedCharge {
        throw ValidationErrors([
            ValidationError(field: "account", detail: "is Portmone's, which takes no recurring payments here")
        ])
    }

    public func validationErrors(in fields: [String: String]) -> [ValidationError] {
        PortmoneOrderFields.errors(in: fields)
    }

    public func whyUnverified(_ account: String) async -> UnverifiedAccount? { await verification(account) }

    public func perform(
        _ payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) async -> Outcome<GatewayAnswer> {
        guard let choice = clients.choice(named: payment.account) else {
            return Self.noAccount
        }
        return await PortmoneOperation(payment: payment, operation: operation, fields: fields).send(choice, for: self)
    }

    public func validationErrors(
        in payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) -> [ValidationError] {
        PortmoneOperation(payment: payment, operation: operation, fields: fields).errors
    }

    /// Queries `result`. If the payment's bill cannot be completed and is old enough, it is closed first
    /// (``ThreeDSecureClosing``).
    public func status(of payment: Payment) async -> Outcome<GatewayAnswer> {
        guard let choice = clients.choice(named: payment.account) else {
            return Self.noAccount
        }
        let deadline = Deadline(in: timeout)
        // A void is about the bill with this number, whatever the bill's amount.
        let isVoid = payment.openOperation?.command == .voidAuthorization && payment.gatewayReference != nil
        let identity = choice.entry.identity(
            of: payment.merchantReference, currency: payment.currency, amount: isVoid ? nil : payment.amount)
        let query = OrderQuery(
            client: choice.client, identity: identity, period: ResultPeriod(since: payment.firstBill, at: now()),
            ownBill: payment.gatewayReference,
            isOperatedOn: payment.openOperation.map { $0.command != .refund } ?? false)
        var answered = await query.answer(until: deadline)
        if case .answered(let state) = answered, closing.isDue(payment, in: state, at: now()), let left = deadline.left
        {
            // The answer to `closeInvoice` is ignored: only `result` decides.
            _ = await choice.client.send(
                CloseInvoiceRequest(shopOrderNumber: payment.merchantReference), timeout: left)
            answered = await query.answer(until: deadline)
        }
        return meaning(of: answered, payment, payment.merchantReference)
    }

    public func status(of merchantReference: String, account: String) async -> Outcome<GatewayAnswer> {
        guard let choice = clients.choice(named: account) else { return Self.noAccount }
        guard merchantReference.isMerchantReference else {
            return .notSent(reason: "the payment cannot be queried: payrelay never makes such a reference")
        }
        let identity = choice.entry.identity(of: merchantReference, currency: nil, amount: nil)
        // The age of the order is not known, so the query covers the last month.
        let query = OrderQuery(
            client: choice.client, identity: identity, period: ResultPeriod(since: now(), at: now()), ownBill: nil)
        return meaning(of: await query.answer(until: Deadline(in: timeout)), nil, merchantReference)
    }

    private func meaning(
        of answered: Outcome<OrderState>, _ payment: Payment?, _ merchantReference: String
    ) -> Outcome<GatewayAnswer> {
        answered.map { state in
            alertWhereSeveral(state, merchantReference: merchantReference)
            return MeaningOfOrders(payment: payment.map(KnownPayment.init), unseenReturn: unseenReturn, moment: now())
                .answer(to: state)
        }
    }

    func alertWhereSeveral(_ state: OrderState, merchantReference: String) {
        guard case .chargedSeveralTimes(let bills) = state else { return }
        alert(
            .chargedSeveralTimes(
                merchantReference: merchantReference, shopBillIDs: bills.compactMap(\.shopBillID)))
    }

    private static let noAccount = Outcome<GatewayAnswer>.notSent(
        reason: "the payment's account is not configured")
}

extension GatewayAccount {
    /// Portmone knows a merchant by the number of the company. A login is a credential, and can be replaced.
    init(_ entry: PortmoneAccounts.Entry) {
        self.init(name: entry.name, merchantIdentifier: entry.account.payeeID, currencies: entry.currencies)
    }
}
