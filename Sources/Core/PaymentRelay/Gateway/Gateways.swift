public import PayrelayPrimitives
public import ApplePayToken

/// The merchant's gateways, and which of them an order goes to: the one whose account it names, or whose account takes its currency.
/// Later requests about a payment go to the gateway that charged it.
public struct Gateways: Sendable {
    /// Not empty, and each has an account. No two accounts have the same name or the same currency.
    public let all: [any Gateway]
    /// Of every gateway that payments may be of: they outlast the configuration of theirs.
    public let vocabulary: AnswerVocabulary
    /// The fields that an order can have, each once.
    public let orderFields: [OrderField]

    /// - Parameter vocabulary: of every gateway, whether it is among `all` or not.
    /// - Throws: ``AccountsError`` where it would not be clear which account to take.
    public init(_ all: [any Gateway], vocabulary: AnswerVocabulary) throws(AccountsError) {
        guard all.allSatisfy({ !$0.accounts.isEmpty }) else { throw .none }
        try Self.check(all.flatMap(\.accounts))
        self.all = all
        self.vocabulary = vocabulary
        var named: Set<String> = []
        orderFields = all.flatMap(\.orderFields).filter { named.insert($0.name).inserted }
    }

    /// See ``Gateway/prepare(_:account:with:)``; `account` among the fields names one of the merchant's accounts.
    public func prepare(
        _ fields: [String: String], with token: PaymentToken
    ) throws(ValidationErrors) -> any PreparedCharge {
        try prepare(fields) { gateway, fields, account throws(ValidationErrors) in
            try gateway.prepare(fields, account: account, with: token)
        }
    }

    /// See ``Gateway/prepareRecurring(_:account:)``.
    public func prepareRecurring(_ fields: [String: String]) throws(ValidationErrors) -> any PreparedCharge {
        try prepare(fields) { gateway, fields, account throws(ValidationErrors) in
            try gateway.prepareRecurring(fields, account: account)
        }
    }

    /// See ``Gateway/validationErrors(in:)-([String:String])``.
    public func validationErrors(in fields: [String: String]) -> [ValidationError] {
        let (fields, choice) = choose(fields)
        return choice.gateway.validationErrors(in: fields) + choice.errors
    }

    private func prepare(
        _ fields: [String: String],
        with prepare: (any Gateway, [String: String], String) throws(ValidationErrors) -> any PreparedCharge
    ) throws(ValidationErrors) -> any PreparedCharge {
        let (fields, choice) = choose(fields)
        guard choice.errors.isEmpty else {
            // What else is wrong is named with it.
            do throws(ValidationErrors) {
                _ = try prepare(choice.gateway, fields, choice.account)
            } catch {
                throw ValidationErrors(error.errors + choice.errors)
            }
            throw ValidationErrors(choice.errors)
        }
        return try prepare(choice.gateway, fields, choice.account)
    }
}

/// Which gateway has a payment.
extension Gateways {
    /// Nil where it is no longer configured.
    public func gateway(named name: String) -> (any Gateway)? { all.first { $0.name == name } }

    /// Its gateway's name for people.
    public func title(of payment: Payment) -> String { title(of: payment.gateway) }

    /// That of a gateway by its name, which is its own where it is no longer configured.
    public func title(of gateway: String) -> String { self.gateway(named: gateway)?.title ?? gateway }

    /// Does something for each at once, by its name, and returns once all of it is done.
    func each(_ act: @escaping @Sendable (String) async -> Void) async {
        await withDiscardingTaskGroup { group in
            for gateway in all { group.addTask { await act(gateway.name) } }
        }
    }

    /// Nil where the account is no longer configured.
    func gateway(ofAccount name: String) -> (any Gateway)? {
        all.first { $0.accounts.contains { $0.name == name } }
    }

    func perform(
        _ payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) async -> Outcome<GatewayAnswer> {
        guard let gateway = gateway(named: payment.gateway) else { return notConfigured(payment.gateway) }
        if let unavailability = unavailability(of: payment) { return .notSent(reason: unavailability.reason) }
        return await gateway.perform(payment, operation, fields: fields)
    }

    func validationErrors(
        in payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) -> [ValidationError] {
        gateway(named: payment.gateway)?.validationErrors(in: payment, operation, fields: fields) ?? []
    }

    func status(of payment: Payment) async -> Outcome<GatewayAnswer> {
        guard let gateway = gateway(named: payment.gateway) else { return notConfigured(payment.gateway) }
        if let unavailability = unavailability(of: payment) { return .notSent(reason: unavailability.reason) }
        return await gateway.status(of: payment)
    }

    func status(of merchantReference: String, account: String) async -> Outcome<GatewayAnswer> {
        guard let gateway = gateway(ofAccount: account) else { return notConfigured(account) }
        return await gateway.status(of: merchantReference, account: account)
    }

    /// See ``Gateway/status(of:charge:)``.
    func status(of payment: Payment, charge gatewayReference: String) async -> Outcome<GatewayAnswer> {
        guard let gateway = gateway(named: payment.gateway) else { return notConfigured(payment.gateway) }
        if let unavailability = unavailability(of: payment) { return .notSent(reason: unavailability.reason) }
        return await gateway.status(of: payment, charge: gatewayReference)
    }

    private func notConfigured(_ name: String) -> Outcome<GatewayAnswer> {
        .notSent(reason: "\(name) is not configured")
    }

    /// How long a request to a gateway may take: to the slowest, where it is none of these.
    func longestExchange(of name: String) -> Duration {
        gateway(named: name)?.longestExchange ?? all.map(\.longestExchange).max() ?? .zero
    }

    /// How long a payment is one instance's alone: long enough to record and to charge it. One that is still open afterwards was left
    /// behind by an instance that ended, and another one takes it over.
    ///
    /// - Parameter name: of the gateway that is asked about the payment.
    func leaseDuration(of name: String) -> Duration {
        let exchange = longestExchange(of: name)
        // A claim that takes the journal longer is not sent.
        let timeToRecord = min(.seconds(30), max(.seconds(5), exchange))
        return exchange + timeToRecord
    }

    /// Returns the name of the account that charged a payment: only its answers count for the payment. `nil` if the account is no longer
    /// configured, or is another merchant's now.
    func account(of payment: Payment) -> String? {
        unavailability(of: payment) == nil ? payment.account : nil
    }

    /// Whether an account takes payments in a currency (ISO 4217, alphabetic). True where it names none.
    func account(_ name: String, takes currency: String) -> Bool {
        guard let currency = Currency(code: currency), let account = account(named: name) else { return false }
        return account.currencies.isEmpty || account.currencies.contains(currency)
    }

    /// Returns the gateway's identifier of the merchant whose account has the name; `nil` if no account has it.
    func merchantIdentifier(ofAccount name: String?) -> String? {
        name.flatMap { account(named: $0) }?.merchantIdentifier
    }

    private func account(named name: String) -> GatewayAccount? {
        gateway(ofAccount: name)?.accounts.first { $0.name == name }
    }

    /// See ``Gateway/whyUnverified(_:)``.
    ///
    /// - Parameters:
    ///   - account: the merchant's name of the account; `nil` for the gateway's first.
    ///   - gateway: the gateway's name.
    func whyUnverified(_ account: String?, of gateway: String) async -> UnverifiedAccount? {
        guard let gateway = self.gateway(named: gateway) else { return nil }
        return await gateway.whyUnverified(account ?? gateway.accounts[0].name)
    }
}
