import ApplePayToken
import FoundationEssentials
import OutboundHTTP
import PaymentRelay
import PayrelayPrimitives
import PortmoneAPI
import Synchronization
import Testing
import TokenMint

@testable import PortmoneModule

/// A Portmone that answers as the test says, in place of the network.
final class ScriptedPortmone: GatewayTransport {
    /// A request that arrived.
    struct Request: Sendable {
        let method: String
        let data: JSONObject
    }

    private let replies: Mutex<[@Sendable (Request) -> Outcome<JSON?>]>
    private let received = Mutex<[Request]>([])
    private let alerted = Mutex<[PortmoneAlert]>([])

    /// - Parameter replies: The replies in order. The last one is repeated for every later request. An answer of `nil` is an
    ///   empty body.
    init(_ replies: [@Sendable (Request) -> Outcome<JSON?>]) {
        self.replies = Mutex(replies)
    }

    /// Makes a Portmone with these answers in order.
    convenience init(_ answers: JSON?...) {
        self.init(answers.map { answer in { _ in .answered(answer) } })
    }

    var methods: [String] { received.withLock { $0.map(\.method) } }
    var requests: [Request] { received.withLock { $0 } }
    var alerts: [PortmoneAlert] { alerted.withLock { $0 } }

    func send(_ request: OutboundRequest) async -> Outcome<OutboundAnswer> {
        let json = try? JSON(parsing: request.body)
        let sent = Request(
            method: json?["method"]?.stringValue ?? "", data: json?["params"]?["data"]?.objectValue ?? [:])
        received.withLock { $0.append(sent) }
        let reply = replies.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        return reply(sent).map { OutboundAnswer(status: 200, body: $0?.encoded() ?? []) }
    }

    static func accounts(_ preauthorization: Preauthorization = .onRequest) throws -> PortmoneAccounts {
        try PortmoneAccounts([
            PortmoneAccounts.Entry(
                name: "ua", currencies: [try #require(Currency(code: "UAH"))],
                account: PortmoneAccount(
                    payeeID: "1185", login: "SHOP", password: Secret("CANARY-PASSWORD"),
                    appleMerchantID: "merchant.com.example", preauthorization: preauthorization)),
            PortmoneAccounts.Entry(
                name: "eu", currencies: [try #require(Currency(code: "EUR"))],
                account: PortmoneAccount(
                    payeeID: "1186", login: "SHOP", password: Secret("CANARY-PASSWORD"),
                    appleMerchantID: "merchant.com.example")),
        ])
    }

    func gateway(
        _ preauthorization: Preauthorization = .onRequest, now: Date = Samples.now
    ) throws -> PortmoneGateway {
        PortmoneGateway(
            clients: PortmoneClients(
                accounts: try Self.accounts(preauthorization), endpoint: .production, transport: self),
            timeout: .seconds(20), now: { now }, alert: { alert in self.alerted.withLock { $0.append(alert) } })
    }

    /// Charges the order of the sample fields, with `changes` in place of the sample values.
    func charge(_ changes: [String: String] = [:], account: String = "ua") async throws -> Outcome<GatewayAnswer> {
        try await gateway().prepare(Samples.fields.merging(changes) { $1 }, account: account, with: Samples.token())
            .send()
    }

    func status(of payment: Payment, now: Date = Samples.now) async throws -> Outcome<GatewayAnswer> {
        try await gateway(now: now).status(of: payment)
    }
}

/// A valid order and its payment, which tests change.
enum Samples {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    static let fields = [
        "command": "PURCHASE", "merchant_reference": "ORDER-1", "amount": "10000", "currency": "UAH", "language": "uk",
        "customer_email": "olena@example.com", "customer_ip": "192.0.2.10",
    ]

    static func token() throws -> PaymentToken {
        try PaymentToken(json: TokenMint().mint(TokenContents(amount: 10_000, currency: "UAH"), signedAt: now))
    }

    /// - Parameters:
    ///   - age: The time since the payment was claimed, at ``now``.
    ///   - currency: A currency other than UAH belongs to the account of payee 1186.
    static func payment(
        _ state: PaymentState = .uncertain, _ command: Order.Command = .purchase, balance: Balance = Balance(),
        operations: [PaymentOperation] = [], bill: String? = nil, age: Duration = .seconds(60),
        currency: String = "UAH"
    ) throws -> Payment {
        Payment(
            merchantReference: "ORDER-1", command: command, amount: 10_000, currency: currency,
            fingerprint: RequestFingerprint(fields: fields, token: try token().digest),
            appleTransactionIdentifier: "0a", claimedAt: now - age, gateway: "portmone",
            account: currency == "UAH" ? "ua" : "eu", state: state, balance: balance,
            operations: operations, gatewayReference: bill, isReferenceOfCharge: bill != nil)
    }

    static func operation(
        _ command: OperationCommand, _ amount: MinorUnits, before: Balance = Balance(),
        state: PaymentOperation.State = .uncertain, age: Duration = .seconds(60)
    ) -> PaymentOperation {
        PaymentOperation(
            command: command, amount: amount, maintenanceReference: nil, idempotencyKey: "k", before: before,
            begunAt: now - age, state: state)
    }

    /// A bill as `result` shows it.
    static func bill(_ status: String, _ changes: JSONObject = [:]) -> JSON {
        var bill: JSONObject = [
            "payee_id": "1185", "shopOrderNumber": "ORDER-1", "shopBillId": "550298815", "billAmount": "100.00",
            "status": .string(status), "errorCode": "0", "authCode": "831000", "cardMask": "535560******3735",
            "token": "CANARY-CARD-TOKEN",
        ]
        for member in changes.members { bill[member.name] = member.value == .null ? nil : member.value }
        return .object(bill)
    }

    /// The published answer to `APay`. It names no payee, and names the order only as its `billNumber`.
    static func charged(_ status: String, _ changes: JSONObject = [:]) -> JSON {
        var bill: JSONObject = [
            "status": .string(status), "errorCode": "0", "error": "", "shopBillId": "550298815", "billAmount": "100.00",
            "billNumber": "ORDER-1", "cardMask": "535560******3735", "actionMPI": "", "pareq": "", "authCode": "831000",
            "description": "", "lang": "uk", "md": "", "isNeed3DS": "N", "token": "CANARY-CARD-TOKEN",
            "billCurrency": "UAH", "transactionId": "1", "pdfUrl": "https://example.com/1.pdf",
        ]
        for member in changes.members { bill[member.name] = member.value == .null ? nil : member.value }
        return ["result": .object(bill), "id": "1"]
    }
}

extension Outcome<GatewayAnswer> {
    /// The answer, if there is one.
    var answer: GatewayAnswer? {
        if case .answered(let answer) = self { answer } else { nil }
    }

    var isUnknown: Bool {
        if case .unknown = self { true } else { false }
    }
}

extension GatewayAnswer.Meaning {
    /// Whether the answer is inconclusive, for any reason.
    var isPending: Bool {
        if case .pending = self { true } else { false }
    }
}
