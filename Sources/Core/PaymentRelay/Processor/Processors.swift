public import PayrelayPrimitives
public import ApplePayToken

/// The merchant's processors, and which of them an order goes to: the one whose account it names, or whose account takes its currency.
/// Later requests about a payment go to the processor that charged it.
public struct Processors: Sendable {
    /// Not empty, and each has an account. No two accounts have the same name or the same currency.
    public let all: [any Processor]
    /// Of every gateway that payments may be of: they outlast the configuration of theirs.
    public let vocabulary: AnswerVocabulary
    /// The fields that an order can have, each once.
    public let orderFields: [OrderField]

    /// - Parameter vocabulary: of every gateway, whether it is among `all` or not.
    /// - Throws: ``AccountsError`` where it would not be clear which account to take.
    public init(_ all: [any Processor], vocabulary: AnswerVocabulary) throws(AccountsError) {
        guard all.allSatisfy({ !$0.accounts.isEmpty }) else { throw .none }
        try Self.check(all.flatMap(\.accounts))
        self.all = all
        self.vocabulary = vocabulary
        var named: Set<String> = []
        orderFields = all.flatMap(\.orderFields).filter { named.insert($0.name).inserted }
    }

    /// See ``Processor/prepare(_:account:with:)``; `account` among the fields names one of the merchant's accounts.
    public func prepare(
        _ fields: [String: String], with token: PaymentToken
    ) throws(ValidationErrors) -> any PreparedCharge {
        try prepare(fields) { processor, fields, account throws(ValidationErrors) in
            try processor.prepare(fields, account: account, with: token)
        }
    }

    /// See ``Processor/prepareRecurring(_:account:)``.
    public func prepareRecurring(_ fields: [String: String]) throws(ValidationErrors) -> any PreparedCharge {
        try prepare(fields) { processor, fields, account throws(ValidationErrors) in
            try processor.prepareRecurring(fields, account: account)
        }
    }

    /// See ``Processor/validationErrors(in:)-([String:String])``.
    public func validationErrors(in fields: [String: String]) -> [ValidationError] {
        let (fields, choice) = choose(fields)
        return choice.processor.validationErrors(in: fields) + choice.errors
    }

    private func prepare(
        _ fields: [String: String],
        with prepare: (any Processor, [String: String], String) throws(ValidationErrors) -> any PreparedCharge
    ) throws(ValidationErrors) -> any PreparedCharge {
        let (fields, choice) = choose(fields)
        guard choice.errors.isEmpty else {
            // What else is wrong is named with it.
            do throws(ValidationErrors) {
                _ = try prepare(choice.processor, fields, choice.account)
            } catch {
                throw ValidationErrors(error.errors + choice.errors)
            }
            throw ValidationErrors(choice.errors)
        }
        return try prepare(choice.processor, fields, choice.account)
    }
}

/// Which processor has a payment.
extension Processors {
    /// Nil where it is no longer configured.
    public func processor(named name: String) -> (any Processor)? { all.first { $0.name == name } }

    /// Its processor's name for people.
    public func title(of payment: Payment) -> String { title(of: payment.processor) }

    /// That of a processor by its name, which is its own where it is no longer configured.
    public func title(of processor: String) -> String { self.processor(named: processor)?.title ?? processor }

    /// Does something for each at once, by its name, and returns once all of it is done.
    func each(_ act: @escaping @Sendable (String) async -> Void) async {
        await withDiscardingTaskGroup { group in
            for processor in all { group.addTask { await act(processor.name) } }
        }
    }

    /// Nil where the account is no longer configured.
    func processor(ofAccount name: String) -> (any Processor)? {
        all.first { $0.accounts.contains { $0.name == name } }
    }

    func perform(
        _ payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) async -> Outcome<ProcessorAnswer> {
        guard let processor = processor(named: payment.processor) else { return notConfigured(payment.processor) }
        if let unavailability = unavailability(of: payment) { return .notSent(reason: unavailability.reason) }
        return await processor.perform(payment, operation, fields: fields)
    }

    func validationErrors(
        in payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) -> [ValidationError] {
        processor(named: payment.processor)?.validationErrors(in: payment, operation, fields: fields) ?? []
    }

    func status(of payment: Payment) async -> Outcome<ProcessorAnswer> {
        guard let processor = processor(named: payment.processor) else { return notConfigured(payment.processor) }
        if let unavailability = unavailability(of: payment) { return .notSent(reason: unavailability.reason) }
        return await processor.status(of: payment)
    }

    func status(of merchantReference: String, account: String) async -> Outcome<ProcessorAnswer> {
        guard let processor = processor(ofAccount: account) else { return notConfigured(account) }
        return await processor.status(of: merchantReference, account: account)
    }

    /// See ``Processor/status(of:charge:)``.
    func status(of payment: Payment, charge processorReference: String) async -> Outcome<ProcessorAnswer> {
        guard let processor = processor(named: payment.processor) else { return notConfigured(payment.processor) }
        if let unavailability = unavailability(of: payment) { return .notSent(reason: unavailability.reason) }
        return await processor.status(of: payment, charge: processorReference)
    }

    private func notConfigured(_ name: String) -> Outcome<ProcessorAnswer> {
        .notSent(reason: "\(name) is not configured")
    }

    /// How long a request to a processor may take: to the slowest, where it is none of these.
    func longestExchange(of name: String) -> Duration {
        processor(named: name)?.longestExchange ?? all.map(\.longestExchange).max() ?? .zero
    }

    /// How long a payment is one instance's alone: long enough to record and to charge it. One that is still open afterwards was left
    /// behind by an instance that ended, and another one takes it over.
    ///
    /// - Parameter name: of the processor that is asked about the payment.
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

    /// Returns the processor's identifier of the merchant whose account has the name; `nil` if no account has it.
    func merchantIdentifier(ofAccount name: String?) -> String? {
        name.flatMap { account(named: $0) }?.merchantIdentifier
    }

    private func account(named name: String) -> ProcessorAccount? {
        processor(ofAccount: name)?.accounts.first { $0.name == name }
    }

    /// See ``Processor/whyUnverified(_:)``.
    ///
    /// - Parameters:
    ///   - account: the merchant's name of the account; `nil` for the processor's first.
    ///   - processor: the processor's name.
    func whyUnverified(_ account: String?, of processor: String) async -> UnverifiedAccount? {
        guard let processor = self.processor(named: processor) else { return nil }
        return await processor.whyUnverified(account ?? processor.accounts[0].name)
    }
}
