public import ApplePayToken
import OutboundHTTP
public import PaymentRelay
public import PayrelayPrimitives

/// Meridian as the core's gateway.
public struct MeridianGateway: Gateway {
    let clients: AccountClients<MeridianAccount, MeridianClient>
    let timeout: Duration
    let verify: @Sendable (_ account: String) async -> UnverifiedAccount?

    public var name: String { MeridianModule.name }
    public var title: String { MeridianModule.title }
    public var accounts: [GatewayAccount] { clients.accounts.entries.map { GatewayAccount($0) } }
    public var longestExchange: Duration { timeout + GatewayLimits.patience }
    public var orderFields: [OrderField] { MeridianModule.orderFields }

    public func whyUnverified(_ account: String) async -> UnverifiedAccount? { await verify(account) }

    // MARK: Charges

    public func prepare(
        _ fields: [String: String], account: String, with token: PaymentToken
    ) throws(ValidationErrors) -> any PreparedCharge {
        guard let client = clients.choice(named: account)?.client else {
            throw ValidationErrors([ValidationError(field: "account", detail: "is not one that is configured here")])
        }
        try ValidationErrors.throwIfAny(validationErrors(in: fields))
        guard let order = Order(fields, account: account) else {
            throw ValidationErrors([ValidationError(field: "amount", detail: "cannot be read")])
        }
        return Charge(order: order, token: token, client: client)
    }

    public func prepareRecurring(
        _ fields: [String: String], account: String
    ) throws(ValidationErrors) -> any PreparedCharge {
        throw ValidationErrors([ValidationError(field: "account", detail: "is Meridian's, which stores no cards")])
    }

    public func validationErrors(in fields: [String: String]) -> [ValidationError] {
        var errors: [ValidationError] = []
        func check(_ field: String, _ isGood: (String) -> Bool, _ detail: String) {
            guard let value = fields[field], !value.isEmpty else {
                errors.append(ValidationError(field: field, detail: "is missing"))
                return
            }
            if !isGood(value) { errors.append(ValidationError(field: field, detail: detail)) }
        }
        check("command", { Order.Command(rawValue: $0) != nil }, "must be PURCHASE or AUTHORIZATION")
        check("merchant_reference", \.isMerchantReference, "must be at most 40 letters, digits and . _ -")
        check(
            "amount", { MinorUnits(parsing: $0).map { $0 > .zero } ?? false }, "must be a whole number of minor units")
        check("currency", { Currency(code: $0) != nil }, "must be an ISO 4217 currency code")
        let known = Set(orderFields.map(\.name))
        for name in fields.keys.filter({ !known.contains($0) }).sorted() {
            errors.append(ValidationError(field: name, detail: "is not a field of an order for Meridian"))
        }
        return errors
    }

    private struct Charge: PreparedCharge {
        let order: Order
        let token: PaymentToken?
        let client: MeridianClient

        var gateway: String { MeridianModule.name }

        /// Sends the charge. The order is the idempotency key: it is charged once, however often the request is repeated.
        func send() async -> Outcome<GatewayAnswer> {
            let fields: JSONObject = [
                "amount": .string("\(order.amount)"), "currency": .string(order.currency.lowercasedASCII),
                "confirm": "true",
                "capture_method": order.command == .authorization ? "manual" : "automatic",
                "payment_method_data[type]": "card",
                "payment_method_data[card][apple_pay]": .string(token?.data.text ?? ""),
                "metadata[order]": .string(order.merchantReference),
            ]
            let outcome = await client.post("/v1/payment_intents", fields, idempotencyKey: order.merchantReference)
            guard case .answered(let reply) = outcome else { return outcome.map { _ in .meridian(.notFound) } }
            switch reply {
            case .done(let json): return proof(MeridianIntent(json)) { .meridian($0) }
            case .declined(let intent, let code, let message):
                return proof(intent) { .meridian(.declined, $0, code: code, message: message) }
            case .notFound: return .unknown(reason: "Meridian has no such address")
            case .refused(let code, let message):
                return .answered(.meridian(.declined, nil, code: code, message: message))
            }
        }

        /// An answer counts only if it is about this order, in this amount and currency.
        private func proof(
            _ intent: MeridianIntent?, _ answer: (MeridianIntent) -> GatewayAnswer
        ) -> Outcome<GatewayAnswer> {
            guard let intent, intent.order.isExactly(order.merchantReference), intent.amount == order.amount,
                intent.currency.code.isExactly(order.currency)
            else { return .unknown(reason: "Meridian's answer is not about this order") }
            return .answered(answer(intent))
        }
    }

    // MARK: Operations

    public func validationErrors(
        in payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) -> [ValidationError] {
        var errors: [ValidationError] = []
        if operation.command == .capture, operation.before.captured > .zero {
            errors.append(
                ValidationError(
                    field: "command",
                    detail: "must not be CAPTURE: Meridian captures a hold once, and lets go of the rest"))
        }
        for name in fields.keys.filter({ $0 != "language" }).sorted() {
            errors.append(ValidationError(field: name, detail: "is not a field of an operation at Meridian"))
        }
        return errors
    }

    public func perform(
        _ payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) async -> Outcome<GatewayAnswer> {
        guard let client = clients.choice(named: payment.account)?.client else { return Self.noAccount }
        guard let intent = payment.gatewayReference, intent.isMeridianIdentifier else {
            return .notSent(reason: "the payment's intent is not known")
        }
        let amount = JSON.string("\(operation.amount)")
        let outcome =
            switch operation.command {
            case .capture:
                await client.post(
                    "/v1/payment_intents/\(intent)/capture", ["amount_to_capture": amount],
                    idempotencyKey: operation.identifier)
            case .voidAuthorization:
                await client.post(
                    "/v1/payment_intents/\(intent)/cancel", [:], idempotencyKey: operation.identifier)
            case .refund:
                await client.post(
                    "/v1/refunds", ["payment_intent": .string(intent), "amount": amount],
                    idempotencyKey: operation.identifier)
            }
        guard case .answered(let reply) = outcome else { return outcome.map { _ in .meridian(.notFound) } }
        switch reply {
        case .refused(let code, let message), .declined(_, let code, let message):
            return .answered(
                .meridian(
                    .declined, nil, code: code, message: message,
                    isNotAllowed: code.isExactly("payment_intent_unexpected_state")))
        case .notFound: return .answered(.meridian(.pending(reason: "Meridian does not know the intent")))
        case .done(let json): return .answered(Self.answer(to: operation, json, intent))
        }
    }

    private static func answer(to operation: PaymentOperation, _ json: JSON, _ intent: String) -> GatewayAnswer {
        if operation.command == .refund {
            let isOurs = json["payment_intent"]?.stringValue?.isExactly(intent) ?? false
            let isWhole = json["amount"] == .number("\(operation.amount)")
            guard isOurs, isWhole, json["status"] == "succeeded" else {
                return .meridian(.pending(reason: "Meridian has not made the refund yet"))
            }
            return .meridian(.refunded, response: json.objectValue ?? [:], reference: intent)
        }
        guard let changed = MeridianIntent(json), changed.identifier.isExactly(intent) else {
            return .meridian(.pending(reason: "Meridian's answer is about another intent"))
        }
        switch (operation.command, changed.status) {
        case (.capture, .succeeded) where changed.received >= operation.amount: return .meridian(changed)
        case (.voidAuthorization, .canceled): return .meridian(.voided, changed)
        default: return .meridian(.pending(reason: "Meridian's answer does not say that it was done"), changed)
        }
    }

    // MARK: Queries

    public func status(of payment: Payment) async -> Outcome<GatewayAnswer> {
        await status(
            of: payment.merchantReference, account: payment.account, known: payment.gatewayReference,
            wasHeld: [.authorized, .voided].contains(payment.state))
    }

    public func status(of merchantReference: String, account: String) async -> Outcome<GatewayAnswer> {
        await status(of: merchantReference, account: account, known: nil, wasHeld: false)
    }

    private func status(
        of merchantReference: String, account: String?, known: String?, wasHeld: Bool
    ) async -> Outcome<GatewayAnswer> {
        guard let client = clients.choice(named: account)?.client else { return Self.noAccount }
        guard merchantReference.isMerchantReference else {
            return .notSent(reason: "the payment's reference cannot be queried")
        }
        let outcome = await client.get("/v1/payment_intents?order=\(merchantReference)")
        guard case .answered(let reply) = outcome else { return outcome.map { _ in .meridian(.notFound) } }
        guard case .done(let json) = reply, let list = json["data"]?.arrayValue else {
            return .unknown(reason: "Meridian's answer is not a list of intents")
        }
        let intents = list.compactMap { MeridianIntent($0) }.filter { $0.order.isExactly(merchantReference) }
        guard intents.count == list.count else { return .unknown(reason: "Meridian's answer is about another order") }
        guard let intent = intents.first(where: { $0.identifier == known }) ?? intents.last else {
            return .answered(.meridian(.notFound))
        }
        return .answered(.meridian(intent, wasHeld: wasHeld))
    }

    private static let noAccount = Outcome<GatewayAnswer>.notSent(reason: "the account is not configured")
}

extension GatewayAccount {
    init(_ entry: MeridianAccounts.Entry) {
        self.init(name: entry.name, merchantIdentifier: entry.account.identifier, currencies: entry.currencies)
    }
}

// MARK: Meaning

extension GatewayAnswer {
    /// Returns the meaning of an intent for its payment.
    ///
    /// - Parameter wasHeld: Whether an answer has proven a hold. If so, `canceled` means that the hold was voided.
    static func meridian(_ intent: MeridianIntent, wasHeld: Bool = false) -> GatewayAnswer {
        switch intent.status {
        case .succeeded: meridian(intent.refunded > .zero ? .refunded : .captured, intent)
        case .requiresCapture: meridian(.authorized, intent)
        case .canceled: meridian(wasHeld ? .voided : .declined, intent)
        case .requiresPaymentMethod: meridian(.declined, intent)
        case .processing, nil: meridian(.pending(reason: "Meridian has not decided"), intent)
        }
    }

    static func meridian(
        _ meaning: Meaning, _ intent: MeridianIntent? = nil, code: String? = nil, message: String? = nil,
        isNotAllowed: Bool = false, response: JSONObject = [:], reference: String? = nil
    ) -> GatewayAnswer {
        let isMoney = intent.map { $0.received > .zero } ?? false
        var shown = JSONObject()
        shown["payment_intent"] = (intent?.identifier ?? reference).map { .string($0) }
        shown["payment_option"] = intent?.json["card"]?["brand"]
        shown["card_number"] = (intent?.json["card"]?["last4"]?.stringValue).map { .string("************\($0)") }
        shown["response_code"] = code.map { .string($0) }
        shown["response_message"] = message.map { .string($0) }
        return GatewayAnswer(
            meaning: meaning, authorized: intent?.status == .requiresCapture ? intent?.amount : nil,
            captured: isMoney ? intent?.received : nil,
            totals: intent.map { Balance(captured: $0.received, refunded: $0.refunded) },
            isNotAllowed: isNotAllowed, reference: intent?.identifier ?? reference, shown: shown,
            response: intent?.json ?? response, fields: MeridianModule.answerFields)
    }
}
