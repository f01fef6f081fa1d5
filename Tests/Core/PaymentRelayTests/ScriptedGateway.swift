import ApplePayToken
import JournalContract
import PayrelayPrimitives

@testable import PaymentRelay

/// A gateway that answers by a script, and counts.
actor ScriptedGateway: Gateway {
    nonisolated let name: String
    nonisolated let accounts: [GatewayAccount]
    private let unverified: UnverifiedAccount?
    private(set) var charges: [String] = []
    private(set) var queries: [String] = []
    private(set) var operations: [String] = []
    private let onCharge: @Sendable (Order) async -> Outcome<GatewayAnswer>
    private let onQuery: @Sendable (Payment) async -> Outcome<GatewayAnswer>
    private let onOperation: @Sendable (PaymentOperation) async -> Outcome<GatewayAnswer>
    private let onNumber: (@Sendable (_ gatewayReference: String) async -> Outcome<GatewayAnswer>)?
    private let onUnknown: @Sendable (_ merchantReference: String, _ account: String) async -> Outcome<GatewayAnswer>

    /// - Parameters:
    ///   - account: The name of the only account, if a test has several gateways.
    ///   - merchant: The identifier of the merchant to whom the accounts belong.
    ///   - unverified: The reason why nothing can be charged, or `nil` if everything can be charged.
    ///   - onNumber: Answers a query by the number of a charge. `nil` if the gateway cannot be queried by number.
    init(
        name: String = SampleGateway.name, account: String? = nil, merchant: String = "M1",
        unverified: UnverifiedAccount? = nil,
        onCharge: @escaping @Sendable (Order) async -> Outcome<GatewayAnswer> = { _ in
            .answered(GatewayAnswer(.captured))
        },
        onQuery: @escaping @Sendable (Payment) async -> Outcome<GatewayAnswer> = { payment in
            .answered(.paid(payment.amount))
        },
        onOperation: @escaping @Sendable (PaymentOperation) async -> Outcome<GatewayAnswer> = {
            .answered(GatewayAnswer($0.command.success))
        },
        onNumber: (@Sendable (_ gatewayReference: String) async -> Outcome<GatewayAnswer>)? = nil,
        onUnknown:
            @escaping @Sendable (_ merchantReference: String, _ account: String) async -> Outcome<GatewayAnswer> = {
                _, _ in .answered(GatewayAnswer(.notFound))
            }
    ) {
        self.name = name
        accounts =
            account.map { [GatewayAccount(name: $0, merchantIdentifier: merchant)] }
            ?? GatewayAccount.samples(of: merchant)
        self.unverified = unverified
        self.onCharge = onCharge
        self.onQuery = onQuery
        self.onOperation = onOperation
        self.onNumber = onNumber
        self.onUnknown = onUnknown
    }

    nonisolated func prepare(
        _ fields: [String: String], account: String, with token: PaymentToken
    ) throws(ValidationErrors) -> any PreparedCharge {
        let order = Order.sample(fields["merchant_reference"] ?? "")
        return SampleCharge(order: order, token: token) { await self.charge(order) }
    }

    nonisolated func prepareRecurring(
        _ fields: [String: String], account: String
    ) throws(ValidationErrors) -> any PreparedCharge {
        let order = Order.sample(fields["merchant_reference"] ?? "")
        return SampleCharge(order: order, token: nil) { await self.charge(order) }
    }

    nonisolated func validationErrors(in fields: [String: String]) -> [ValidationError] { [] }

    func whyUnverified(_ account: String) async -> UnverifiedAccount? { unverified }

    private func charge(_ order: Order) async -> Outcome<GatewayAnswer> {
        charges.append(order.merchantReference)
        return await onCharge(order)
    }

    nonisolated func validationErrors(
        in payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) -> [ValidationError] {
        fields.keys.sorted().map { ValidationError(field: $0, detail: "is not known here") }
    }

    func perform(
        _ payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) async -> Outcome<GatewayAnswer> {
        operations.append("\(operation.command.rawValue) \(operation.amount)")
        return await onOperation(operation)
    }

    func status(of merchantReference: String, account: String) async -> Outcome<GatewayAnswer> {
        queries.append("\(account) \(merchantReference)")
        return await onUnknown(merchantReference, account)
    }

    func status(of payment: Payment) async -> Outcome<GatewayAnswer> {
        queries.append(payment.merchantReference)
        return await onQuery(payment)
    }

    nonisolated func canQuery(charge gatewayReference: String) -> Bool { onNumber != nil }

    func status(of payment: Payment, charge gatewayReference: String) async -> Outcome<GatewayAnswer> {
        queries.append("\(payment.merchantReference) \(gatewayReference)")
        return await onNumber?(gatewayReference) ?? .notSent(reason: "no number was expected")
    }
}

/// The gateway that most tests have. Its accounts take any currency but USD.
extension Gateway {
    var name: String { SampleGateway.name }
    var title: String { "FORT" }
    var longestExchange: Duration { .seconds(30) }
    var orderFields: [OrderField] { [] }

    var accounts: [GatewayAccount] { GatewayAccount.samples(of: "M1") }

    func whyUnverified(_ account: String) async -> UnverifiedAccount? { nil }
}

extension GatewayAccount {
    fileprivate static func samples(of merchant: String) -> [GatewayAccount] {
        let currencies = Set(["AED", "KWD", "SAR"].compactMap(Currency.init(code:)))
        return [
            GatewayAccount(name: "main", merchantIdentifier: merchant, currencies: currencies),
            GatewayAccount(name: "other", merchantIdentifier: "M2"),
        ]
    }
}

/// A charge that a test has prepared.
struct SampleCharge: PreparedCharge {
    let gateway = SampleGateway.name
    let order: Order
    let token: PaymentToken?
    let onSend: @Sendable () async -> Outcome<GatewayAnswer>

    func send() async -> Outcome<GatewayAnswer> { await onSend() }
}

extension GatewayAnswer {
    init(
        _ meaning: Meaning, authorized: MinorUnits? = nil, captured: MinorUnits? = nil, totals: Balance? = nil,
        reference: String? = nil
    ) {
        var summary: JSONObject = ["response_code": "14000"]
        summary["fort_id"] = reference.map { .string($0) }
        self.init(
            meaning: meaning, authorized: authorized,
            captured: captured ?? (authorized == nil ? nil : totals?.captured), totals: totals, reference: reference,
            summary: summary, response: ["response_code": "14000"])
    }
}

extension GatewayAnswer {
    /// An answer to a query that proves that the whole amount was captured.
    static func paid(_ amount: MinorUnits = 10_000, reference: String? = nil) -> GatewayAnswer {
        GatewayAnswer(.captured, totals: Balance(captured: amount), reference: reference)
    }
}

extension Order {
    static func sample(
        _ reference: String, _ command: Command = .purchase, amount: MinorUnits = 10_000
    ) -> Order {
        let fields = [
            "command": command.rawValue, "merchant_reference": reference, "amount": "\(amount)", "currency": "AED",
        ]
        // swift-format-ignore: NeverForceUnwrap
        // Safe: `fields` has every field from which an order is made.
        return Order(fields, account: "main")!
    }
}

extension PaymentToken {
    /// Returns a token of the right shape without a valid signature. Each number gives another token.
    static func unsigned(_ number: Int) throws -> PaymentToken {
        let digits = String(number, radix: 16)
        let transactionId = String(repeating: "0", count: 64 - digits.count) + digits
        return try PaymentToken(json: [
            "paymentData": [
                "version": "EC_v1", "data": "AAAA", "signature": "AAAA",
                "header": [
                    "ephemeralPublicKey": "AAAA", "publicKeyHash": .string(String(repeating: "A", count: 43) + "="),
                    "transactionId": .string(transactionId),
                ],
            ],
            "paymentMethod": ["displayName": "Visa 0492", "network": "Visa", "type": "debit"],
        ])
    }
}

/// A request to pay, before a relay's gateway has prepared its charge.
struct SampleRequest {
    let reference: String
    let token: PaymentToken
    let fingerprint: RequestFingerprint
    var key: String?
    var client: String?

    /// Returns the request for an order. Requests with the same reference, token and body are the same request.
    static func sample(
        _ reference: String, token number: Int = 1, body: String = "", key: String? = nil, client: String? = nil
    ) throws -> SampleRequest {
        let token = try PaymentToken.unsigned(number)
        return SampleRequest(
            reference: reference, token: token,
            fingerprint: RequestFingerprint(
                fields: ["merchant_reference": reference, "body": body], token: token.digest),
            key: key, client: client)
    }

    func request(preparedBy gateways: Gateways) throws -> PaymentRequest {
        PaymentRequest(
            try gateways.prepare(["merchant_reference": reference, "account": "main"], with: token),
            fingerprint: fingerprint,
            idempotencyKey: key, client: client, identifier: "request-\(reference)")
    }
}

extension PaymentRelay {
    func pay(
        _ sample: SampleRequest, ended: @escaping @Sendable () -> Void = {}
    ) async throws -> PaymentReply {
        try await pay(sample.request(preparedBy: gateways), ended: ended)
    }
}
