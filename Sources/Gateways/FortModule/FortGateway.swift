public import ApplePayToken
public import FortAPI
public import OutboundHTTP
public import PaymentRelay
public import PayrelayPrimitives

/// FORT as a ``Gateway``: an order and a token become an `APPLE_PAY` request, an order and the name of a stored card a recurring
/// payment, and a verified answer becomes its meaning.
///
/// This room alone knows both FORT and the relay's core. What FORT's codes mean for a payment is decided here, in
/// ``GatewayAnswer/init(_:)`` and ``GatewayAnswer/init(toStatus:)``; the fields and their limits are `FortAPI`'s.
public struct FortGateway: Gateway {
    let clients: FortClients
    public let accounts: [GatewayAccount]
    /// For one exchange with FORT. After it the payment is uncertain.
    let timeout: Duration
    private let verification: @Sendable (_ account: String) async -> UnverifiedAccount?
    let warn: @Sendable (_ merchantReference: String, _ limitViolations: [ValidationError]) -> Void

    /// - Parameters:
    ///   - warn: called where a token that is about to be sent exceeds FORT's documented limits, by FORT's names of its parts. Apple made it
    ///     so, and whether FORT takes it FORT says.
    ///   - whyUnverified: see ``whyUnverified(_:)``. The service gives its probe's; by default every account can be charged.
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
    /// With the wait for a place before it.
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
            // All that is left can always be captured or refunded, whatever an external charge was about.
            network: operation.isOfEverythingLeft(of: payment) ? nil : payment.cardNetwork)
    }

    /// Of an open operation the totals of its own charge tell. Any other question names the reference alone, so that FORT can tell of a
    /// second charge under it. Where it tells of another try that was declined, the payment's own is asked about.
    public func status(of payment: Payment) async -> Outcome<GatewayAnswer> {
        func status(fortID: String?) async -> Outcome<GatewayAnswer> {
            await self.status(of: payment.merchantReference, fortID: fortID, accountNamed: payment.account)
        }
        guard payment.openOperation == nil else { return await status(fortID: payment.fortID) }
        let report = await status(fortID: nil)
        guard let own = payment.fortID, case .answered(let answer) = report, answer.meaning == .declined,
            let other = answer.reference, other != own
        else { return report }
        return await status(fortID: own)
    }

    public func status(of merchantReference: String, account: String) async -> Outcome<GatewayAnswer> {
        await status(of: merchantReference, fortID: nil, accountNamed: account)
    }

    public func canQuery(charge gatewayReference: String) -> Bool {
        !gatewayReference.isEmpty && FortField.fortID.errors(in: gatewayReference).isEmpty
    }

    /// Queries by the reference and FORT's number of the charge.
    public func status(of payment: Payment, charge gatewayReference: String) async -> Outcome<GatewayAnswer> {
        await status(of: payment.merchantReference, fortID: gatewayReference, accountNamed: payment.account)
    }

    private func status(
        of merchantReference: String, fortID: String?, accountNamed account: String?
    ) async -> Outcome<GatewayAnswer> {
        do throws(ValidationErrors) {
            let request = try FortRequest(statusOf: merchantReference, fortID: fortID)
            guard let client = clients.choice(named: account)?.client else { return Self.notConfigured(account) }
            let exchange = await client.exchange(
                FortMessage(signing: request, for: client.account), timeout: timeout)
            // FORT has answered, about another charge than was asked for. That is not silence, after which it would be asked again, and it
            // proves nothing.
            if fortID != nil, case .answered(.failure(.foreign(parameter: "fort_id"))) = exchange.outcome {
                return .answered(.aboutAnotherCharge)
            }
            return exchange.proven.map { GatewayAnswer(toStatus: $0) }
        } catch {
            return .notSent(reason: "the payment cannot be asked about: \(error)")
        }
    }

    private static func notConfigured(_ account: String?) -> Outcome<GatewayAnswer> {
        .notSent(reason: "no account of the name \(account ?? "") is configured")
    }
}

extension Payment {
    /// FORT's number of the charge, which may be one of several under the reference; nil where it is unknown, or FORT would refuse it.
    fileprivate var fortID: String? {
        gatewayReference.flatMap { FortField.fortID.errors(in: $0).isEmpty ? $0 : nil }
    }

    /// The network of the card, as FORT's answer or the token has it; `nil` if neither is known.
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
    /// A merchant is known at FORT by its `merchant_identifier`. An access code is a credential, and can be replaced.
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
