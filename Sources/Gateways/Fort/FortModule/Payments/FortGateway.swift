public import ApplePayToken
public import FortAPI
public import OutboundHTTP
public import PaymentRelay
public import PayrelayPrimitives

/// FORT as a ``Gateway``. It turns an order and a token into an `APPLE_PAY` request, an order and the name of a
/// stored card into a recurring payment, and a verified answer into its meaning.
///
/// Only this target knows both FORT and the relay's core. It decides what FORT's codes mean for a payment, in
/// ``GatewayAnswer/init(_:)`` and ``GatewayAnswer/init(toStatus:)``. `FortAPI` defines the fields and their
/// limits.
public struct FortGateway: Gateway {
    let clients: FortClients
    public let accounts: [GatewayAccount]
    /// The time limit for one exchange with FORT. When it passes, the payment becomes `uncertain`.
    let timeout: Duration
    private let verification: @Sendable (_ account: String) async -> UnverifiedAccount?
    let warn: @Sendable (_ merchantReference: String, _ limitViolations: [ValidationError]) -> Void

    /// - Parameters:
    ///   - warn: called if parts of a token that is about to be sent exceed FORT's documented limits, with FORT's
    ///     names of the parts. The token is sent nevertheless: Apple made it so, and FORT decides whether to
    ///     accept it.
    ///   - whyUnverified: see ``whyUnverified(_:)``. The service passes its account probe's function. By default
    ///     every account can be charged.
    public init(
        clients: FortClients, timeout: Duration,
        warn: @escaping @Sendable (_ merchantReference: String, _ limitViolations: [ValidationError]) -> Void = {
            _, _ in
        },
        whyUnverified: @escaping @Sendable (_ account: String) async -> UnverifiedAccount? = { _ in nil }
    ) {
        self.clients = clients
        accounts = clients.accounts.entries.map { GatewayAccount($0) }
        self.timeout = timeout
        verification = whyUnverified
        self.warn = warn
    }

    public var name: String { FortModule.name }
    public var title: String { FortModule.title }
    /// The timeout and the wait for a slot before it.
    public var longestExchange: Duration { timeout + GatewayLimits.patience }
    public var orderFields: [OrderField] { Self.orderFields }

    public func prepare(
        _ fields: [String: String], account: String, with token: PaymentToken
    ) throws(ValidationErrors) -> any PreparedCharge {
        try FortCharge(fields, account: account, token: token, for: self)
    }

    public func prepareRecurring(
        _ fields: [String: String], account: String
    ) throws(ValidationErrors) -> any PreparedCharge {
        try FortCharge(recurring: fields, account: account, for: self)
    }

    public func validationErrors(in fields: [String: String]) -> [ValidationError] {
        FortRequest.errors(in: fields).map(\.underRequestPath)
    }

    public func whyUnverified(_ account: String) async -> UnverifiedAccount? { await verification(account) }

    public func perform(
        _ payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) async -> Outcome<GatewayAnswer> {
        do throws(ValidationErrors) {
            let request = try Self.request(payment, operation, fields)
            guard let client = clients.choice(named: payment.account)?.client else {
                return Self.notConfigured(payment.account)
            }
            return await client.send(request, timeout: timeout).map { GatewayAnswer($0) }
        } catch {
            return .notSent(reason: "the operation has errors that were not seen before: \(error)")
        }
    }

    public func validationErrors(
        in payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) -> [ValidationError] {
        do throws(ValidationErrors) {
            _ = try Self.request(payment, operation, fields)
            return []
        } catch {
            return error.errors.map(\.underRequestPath)
        }
    }

    private static func request(
        _ payment: Payment, _ operation: PaymentOperation, _ fields: [String: String]
    ) throws(ValidationErrors) -> FortRequest {
        let command: FortCommand =
            switch operation.command {
            case .capture: .capture
            case .voidAuthorization: .voidAuthorization
            case .refund: .refund
            }
        return try FortRequest(
            command, merchantReference: payment.merchantReference, amount: operation.amount.description,
            currency: payment.currency, language: fields["language"] ?? "en",
            maintenanceReference: operation.maintenanceReference, fortID: payment.fortID,
            orderDescription: fields["order_description"],
            // The rule for the last digit does not apply to all that is left, which can always be captured or
            // refunded: an external charge may have any amount.
            network: operation.isOfEverythingLeft(of: payment) ? nil : payment.cardNetwork)
    }

    /// Queries FORT about the payment with CHECK_STATUS.
    ///
    /// - If an operation is open, the query names FORT's number of the charge, because only that charge's totals
    ///   show the operation.
    /// - Otherwise the query names only the reference, so that FORT's answer can show a second charge under it.
    public func status(of payment: Payment) async -> Outcome<GatewayAnswer> {
        await status(
            of: payment.merchantReference, fortID: payment.openOperation == nil ? nil : payment.fortID,
            accountNamed: payment.account, currency: payment.currency)
    }

    public func status(of merchantReference: String, account: String) async -> Outcome<GatewayAnswer> {
        await status(of: merchantReference, fortID: nil, accountNamed: account)
    }

    public func canQuery(charge gatewayReference: String) -> Bool {
        !gatewayReference.isEmpty && FortField.fortID.errors(in: gatewayReference).isEmpty
    }

    /// Queries the charge by the payment's reference and by FORT's number of the charge.
    public func status(of payment: Payment, charge gatewayReference: String) async -> Outcome<GatewayAnswer> {
        await status(
            of: payment.merchantReference, fortID: gatewayReference, accountNamed: payment.account,
            currency: payment.currency)
    }

    /// - Parameter currency: the payment's currency. The query does not name it, and FORT's documents have no currency
    ///   in the answer. An answer that states another currency all the same proves nothing.
    private func status(
        of merchantReference: String, fortID: String?, accountNamed account: String?, currency: String? = nil
    ) async -> Outcome<GatewayAnswer> {
        do throws(ValidationErrors) {
            let request = try FortRequest(statusOf: merchantReference, fortID: fortID)
            guard let client = clients.choice(named: account)?.client else { return Self.notConfigured(account) }
            let exchange = await client.exchange(
                FortMessage(signing: request, for: client.account), timeout: timeout)
            // FORT has answered about another charge than the queried one. The answer proves nothing, but it is
            // not silence, after which the query would be repeated.
            if fortID != nil, case .answered(.failure(.foreign(parameter: "fort_id"))) = exchange.outcome {
                return .answered(.aboutAnotherCharge)
            }
            if let currency, case .answered(let answer) = exchange.proven, let told = answer["currency"],
                !told.isSame(ignoringCaseOf: currency)
            {
                return .unknown(reason: "FORT answered about a payment in another currency than \(currency)")
            }
            return exchange.proven.map { GatewayAnswer(toStatus: $0) }
        } catch {
            return .notSent(reason: "the payment cannot be queried: \(error)")
        }
    }

    private static func notConfigured(_ account: String?) -> Outcome<GatewayAnswer> {
        .notSent(reason: "no account of the name \(account ?? "") is configured")
    }
}

extension Payment {
    /// FORT's number of the payment's charge, which may be one of several under the reference; `nil` if it is not
    /// known, or if FORT would reject it.
    fileprivate var fortID: String? {
        gatewayReference.flatMap { FortField.fortID.errors(in: $0).isEmpty ? $0 : nil }
    }

    /// The network of the card, from FORT's answer or from the token; `nil` if neither names it.
    fileprivate var cardNetwork: String? { summary["payment_option"]?.stringValue ?? customer.cardNetwork }
}

extension PaymentOperation {
    /// Whether the amount is all that was left to capture or to refund when the operation began.
    fileprivate func isOfEverythingLeft(of payment: Payment) -> Bool {
        switch command {
        case .capture: payment.amount.subtracting(before.captured) == amount
        case .refund: before.captured.subtracting(before.refunded) == amount
        case .voidAuthorization: true
        }
    }
}

extension GatewayAccount {
    /// FORT knows a merchant by its `merchant_identifier`. An access code is a credential, and can be replaced.
    init(_ entry: FortAccounts.Entry) {
        self.init(
            name: entry.name, merchantIdentifier: entry.account.merchantIdentifier, currencies: entry.currencies)
    }
}

public typealias FortClients = AccountClients<FortAccount, FortClient>

extension FortClients {
    /// - Parameter observe: called after each exchange of each client; must not block.
    public init(
        accounts: FortAccounts, endpoint: GatewayEndpoint, transport: any GatewayTransport,
        observe: @escaping @Sendable (FortExchange) -> Void = { _ in }
    ) {
        self.init(accounts) {
            FortClient(account: $0, endpoint: endpoint, transport: transport, observe: observe)
        }
    }
}
