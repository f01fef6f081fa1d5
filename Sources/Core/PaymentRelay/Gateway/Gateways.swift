public import ApplePayToken
public import PayrelayPrimitives

/// The merchant's gateways, and the choice among them: an order goes to the gateway whose account it names, or
/// whose account takes its currency. Later requests about a payment go to the gateway that charged it.
public struct Gateways: Sendable {
    /// The gateways. There is at least one, and each has an account. No two accounts have the same name or the same
    /// currency.
    public let all: [any Gateway]
    /// The fields of every gateway that may have payments in the journal, even if the gateway is no longer
    /// configured.
    public let vocabulary: AnswerVocabulary
    /// The fields that an order can have, each once.
    public let orderFields: [OrderField]

    /// - Parameter vocabulary: the fields of every gateway, also of those that are not in `all`.
    /// - Throws: ``AccountsError`` if the choice of an account would be ambiguous.
    public init(_ all: [any Gateway], vocabulary: AnswerVocabulary) throws(AccountsError) {
        guard all.allSatisfy({ !$0.accounts.isEmpty }) else { throw .none }
        try Self.check(all.flatMap(\.accounts))
        self.all = all
        self.vocabulary = vocabulary
        var named: Set<String> = []
        orderFields = all.flatMap(\.orderFields).filter { named.insert($0.name).inserted }
    }

    /// See ``Gateway/prepare(_:account:with:)``. The field `account` names one of the merchant's accounts.
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
            // Report the gateway's validation errors together with the account's errors.
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

/// The look-up of a payment's gateway, and the requests to it.
extension Gateways {
    /// Returns a gateway by its name; `nil` if it is no longer configured.
    public func gateway(named name: String) -> (any Gateway)? { all.first { $0.name == name } }

    /// Returns the name of a payment's gateway for people.
    public func title(of payment: Payment) -> String { title(of: payment.gateway) }

    /// Returns a gateway's name for people. It is the given name if the gateway is no longer configured.
    public func title(of gateway: String) -> String { self.gateway(named: gateway)?.title ?? gateway }

    /// Runs an action for all gateways at once, with the name of each, and returns once all have ended.
    func each(_ act: @escaping @Sendable (String) async -> Void) async {
        await withDiscardingTaskGroup { group in
            for gateway in all { group.addTask { await act(gateway.name) } }
        }
    }

    /// Returns the gateway that has an account; `nil` if the account is no longer configured.
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

    /// Queries the gateway about a payment. If the gateway answers about another charge with the payment's reference,
    /// and can be queried by numbers, the payment's charge is queried by its number. A gateway that cannot be queried by
    /// numbers shows every charge, so that its answer is about another charge only if the payment's has no money.
    ///
    /// A number that only a query named may belong to an earlier attempt. If the charge with this number has no money,
    /// and the other charge has money, the answer about the other charge counts, because money is proof.
    ///
    /// - Returns: the answer about the payment, and the answer about another charge if that charge has money.
    func status(of payment: Payment) async -> (report: Outcome<GatewayAnswer>, other: GatewayAnswer?) {
        guard let gateway = gateway(named: payment.gateway) else { return (notConfigured(payment.gateway), nil) }
        if let unavailability = unavailability(of: payment) { return (.notSent(reason: unavailability.reason), nil) }
        let first = await gateway.status(of: payment)
        guard payment.openOperation == nil, case .answered(let answer) = first, payment.isAboutAnotherCharge(answer),
            let own = payment.gatewayReference, gateway.canQuery(charge: own)
        else { return (first, nil) }
        let report = await gateway.status(of: payment, charge: own)
        guard answer.isOfCharge else { return (report, nil) }
        let isCertain = payment.isReferenceOfCharge || payment.state.hasMoney
        if !isCertain, case .answered(let own) = report, !own.isOfCharge { return (first, nil) }
        return (report, answer)
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

    /// Returns the name of the account that charged a payment. Only this account's answers count for the payment.
    /// `nil` if the account is no longer configured, or its name belongs to another merchant now.
    func account(of payment: Payment) -> String? {
        unavailability(of: payment) == nil ? payment.account : nil
    }

    /// Whether an account takes payments in a currency (ISO 4217, alphabetic). It takes every currency if it names
    /// none.
    func account(_ name: String, takes currency: String) -> Bool {
        guard let currency = Currency(code: currency), let account = account(named: name) else { return false }
        return account.currencies.isEmpty || account.currencies.contains(currency)
    }

    /// Returns the gateway's identifier of the merchant who has the account of this name; `nil` if there is no such
    /// account.
    func merchantIdentifier(ofAccount name: String?) -> String? {
        name.flatMap { account(named: $0) }?.merchantIdentifier
    }

    private func account(named name: String) -> GatewayAccount? {
        gateway(ofAccount: name)?.accounts.first { $0.name == name }
    }

    /// See ``Gateway/whyUnverified(_:)``.
    ///
    /// - Parameters:
    ///   - account: the merchant's name of the account; `nil` for the gateway's first account.
    ///   - gateway: the gateway's name.
    func whyUnverified(_ account: String?, of gateway: String) async -> UnverifiedAccount? {
        guard let gateway = self.gateway(named: gateway) else { return nil }
        return await gateway.whyUnverified(account ?? gateway.accounts[0].name)
    }
}
