import AccessControl
import ApplePayToken
import FortAPI
import FortSandbox
import Foundation
import HTTPListener
import HTTPTypes
import Hummingbird
import JournalContract
import Logging
import NIOCore
import NIOEmbedded
import Observability
import PaymentRelay
import PayrelayPrimitives
import RelayServer
import SandboxParts
import Synchronization
import UnderWay

@testable import Console
@testable import FortModule

/// The console on the admin router, with a journal in memory, a gateway that accepts everything, and a manual clock.
final class ConsoleBench: Sendable {
    static let phrases = ["CANARY-REQUEST-PHRASE", "CANARY-RESPONSE-PHRASE"]

    let journal = MemoryJournal()
    let fort: ObligingGateway
    let relay: PaymentRelay
    let console: Console
    let operators: ReloadableValue<Operators>
    let metrics = RelayMetrics()
    let activity: PaymentActivity
    let keys: [OperatorRole: OperatorKey]
    private let router: RelayRouter

    /// - Parameter hasFort: `false` for a relay that has only another gateway. The journal's payments are still FORT's.
    init(
        isTLS: Bool = false, hasFort: Bool = true, hasOperators: Bool = true, sendsEvents: Bool = true,
        configuration: [ConfigurationGroup] = [], sandbox: SandboxDesk? = nil, tokens: OperatorTokens? = nil,
        isDraining: @escaping @Sendable () -> Bool = { false }
    ) throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        fort = ObligingGateway(isFort: hasFort)
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60), recordsEvents: true), journal: journal,
            gateways: .only(fort, vocabulary: AnswerVocabulary([(FortModule.name, FortModule.answerFields)])),
            logger: logger)
        self.relay = relay
        let keys = Dictionary(uniqueKeysWithValues: OperatorRole.allCases.map { ($0, OperatorKey()) })
        self.keys = keys
        operators = ReloadableValue(
            Operators(
                hasOperators
                    ? try keys.map {
                        try OperatorEntry(name: "a-\($0.key.rawValue)", permission: $0.key, key: $0.value)
                    }
                    : []))
        let account = try FortAccount(
            accessCode: "ACCESS", merchantIdentifier: "MERCHANT", requestPhrase: Secret(Self.phrases[0]),
            responsePhrase: Secret(Self.phrases[1]))
        activity = PaymentActivity(metrics)
        let admin = AdminRoutes(
            readiness: JournalProbe(logger: logger, timeout: .seconds(86_400)) { [] }, relay: relay,
            availability: { [accountStates] in
                [GatewayAvailability(name: "fort", accounts: accountStates.all.withLock { $0 })]
            }, listener: ListenerState(), drain: DrainService(pause: .zero, logger: logger), metrics: metrics,
            requests: WorkUnderWay(), delivery: nil, activity: activity)
        let start = ContinuousClock.now
        let clock = Clock()
        let pages: [GatewayPages] = hasFort ? [.ofFort(FortAccounts(account))] : []
        console = try Console(
            relay: relay, operators: operators, tokens: tokens,
            gateways: pages + (sandbox.map { [$0.pages] } ?? []), isTLS: isTLS,
            sendsEvents: sendsEvents, isDraining: isDraining,
            accountStates: { [accountStates] in accountStates.all.withLock { $0 } },
            health: admin.health, configuration: configuration,
            now: { start + clock.elapsed.withLock { $0 } },
            logger: logger)
        self.clock = clock
        router = RelayRouter(
            routes: admin.probes + admin.operators + console.routes, metrics: nil,
            authentication: .operators(operators), scheme: isTLS ? "https" : "http", hosts: AllowedHosts(),
            page: console.page)
    }

    /// FORT's answering state for each account.
    let accountStates = AccountStates()

    final class AccountStates: Sendable {
        let all = Mutex([AccountAvailability(gateway: "FORT", account: "default", state: .answering)])
    }

    private let clock: Clock

    private final class Clock: Sendable {
        let elapsed = Mutex(Duration.zero)
    }

    func wait(_ duration: Duration) { clock.elapsed.withLock { $0 += duration } }

    struct Answer {
        let status: Int
        let headers: HTTPFields
        let text: String

        /// Returns the value of a hidden field.
        func hidden(_ name: String) -> String? {
            text.firstRange(of: "name=\"\(name)\" value=\"").map { start in
                String(text[start.upperBound...].prefix { $0 != "\"" })
            }
        }

        /// The path to which the form is sent.
        var action: String? {
            text.firstRange(of: "method=\"post\" action=\"/console/payment/").map { start in
                "/console/payment/"
                    + text[start.upperBound...].prefix { $0 != "\"" }.replacing("&amp;", with: "&")
                    .replacing("&#61;", with: "=")
            }
        }

        /// The cookie that the browser would keep: the pair before the first semicolon.
        var cookie: String? { headers[.setCookie].map { String($0.prefix { $0 != ";" }) } }
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, form: [(String, String)]? = nil, body: [UInt8]? = nil,
        headers: HTTPFields = [:], host: String = "localhost", readsBody: Bool = true,
        afterPiece: (@Sendable () async throws -> Void)? = nil
    ) async throws -> Answer {
        var head = HTTPRequest(method: method, scheme: "http", authority: host, path: path, headerFields: headers)
        let bytes = body ?? Array((form ?? []).map { "\($0.0)=\(Self.encoded($0.1))" }.joined(separator: "&").utf8)
        if form != nil || body != nil, head.headerFields[.contentType] == nil {
            head.headerFields[.contentType] = "application/x-www-form-urlencoded"
        }
        var logger = Logger(label: "test") { LineLogHandler(label: $0, level: .critical, output: { _ in }) }
        logger[metadataKey: "hb.request.id"] = "test"
        let source = ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: logger)
        let response = await router.respond(
            to: Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: bytes))),
            context: RelayRequestContext(source: source))
        let collected = Collector.Bytes()
        // Events continue as long as the client reads.
        let isEndless = response.headers[.contentType] == "text/event-stream"
        let collector = Collector(bytes: collected) {
            if let afterPiece { try await afterPiece() } else if isEndless { throw EnoughRead() }
        }
        if readsBody {
            do { try await response.body.write(collector) } catch is EnoughRead {}
        }
        return Answer(
            status: Int(response.status.code), headers: response.headers,
            text: String(decoding: collected.value.withLock { $0 }, as: UTF8.self))
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: String(UnicodeScalar(byte))
            default: "%" + HexText(encoding: [byte]).text
            }
        }.joined()
    }

    private struct EnoughRead: Error {}

    private struct Collector: ResponseBodyWriter {
        final class Bytes: Sendable {
            let value = Mutex<[UInt8]>([])
        }

        let bytes: Bytes
        let afterPiece: @Sendable () async throws -> Void

        func write(_ buffer: ByteBuffer) async throws {
            bytes.value.withLock { $0 += buffer.readableBytesView }
            try await afterPiece()
        }

        consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }

    /// Returns a browser in which an operator with the role has logged in.
    func browser(_ role: OperatorRole) async throws -> Browser {
        let key = keys[role].map(\.exposed) ?? ""
        let answer = try await send(.post, "/console/login", form: [("key", key)])
        return Browser(bench: self, cookie: answer.cookie ?? "")
    }

    /// Adds an external payment to the journal.
    func add(
        _ reference: String, state: PaymentState = .captured, amount: MinorUnits = 10_000, currency: String = "AED",
        response: JSONObject = [:], reason: String? = nil, event: [UInt8]? = nil, gateway: String = FortModule.name,
        merchantIdentifier: String = "M1", at moment: Date = Date(), email: String? = nil
    ) async {
        let balance = Balance(captured: state == .captured ? amount : .zero)
        let receipt: JSON = [
            "merchant_reference": .string(reference), "response_code": response["response_code"] ?? "14000",
            "response_message": response["response_message"] ?? "Success.",
            "processor_response": .object(response),
        ]
        _ = try? await journal.record(
            Payment(
                merchantReference: reference, command: .purchase, amount: amount, currency: currency,
                fingerprint: nil, appleTransactionIdentifier: nil, claimedAt: moment, gateway: gateway,
                account: "default", merchantIdentifier: merchantIdentifier,
                client: "shop", state: state, balance: balance, receipt: receipt.encoded(),
                cardLastFour: response["card_number"]?.stringValue.map { String($0.suffix(4)) },
                emailDigest: email.map { EmailDigest(of: $0) }, customer: CustomerDetails(email: email),
                summary: JSONObject(
                    [
                        (name: "response_code", value: response["response_code"] ?? "14000"),
                        (name: "response_message", value: response["response_message"] ?? "Success."),
                    ]
                        + ["card_number", "payment_option"].compactMap { name in
                            response[name].map { (name: name, value: $0) }
                        })),
            because: HistoryEntry(at: moment, state: state, balance: balance, reason: reason, event: event))
    }
}

/// A browser: it keeps the cookie, and sends the headers of browsers.
struct Browser {
    let bench: ConsoleBench
    let cookie: String

    func get(_ path: String) async throws -> ConsoleBench.Answer {
        try await bench.send(.get, path, headers: [.cookie: cookie])
    }

    /// Opens a page and follows redirects, for example to the form for the payment's present state.
    func open(_ path: String) async throws -> ConsoleBench.Answer {
        let answer = try await get(path)
        guard answer.status == 303, let next = answer.headers[.location] else { return answer }
        return try await get(next)
    }

    func post(
        _ path: String, _ form: [(String, String)], token: String?, headers: HTTPFields = [:]
    ) async throws -> ConsoleBench.Answer {
        var fields = headers
        fields[.cookie] = cookie
        return try await bench.send(
            .post, path, form: form + (token.map { [("form_token", $0)] } ?? []), headers: fields)
    }

    /// Submits a form with the session's form token.
    func submit(_ path: String, _ form: [(String, String)] = []) async throws -> ConsoleBench.Answer {
        let token = try await get("/console").hidden("form_token")
        return try await post(path, form, token: token)
    }
}

/// A gateway that accepts every request, and counts them.
final class ObligingGateway: Gateway {
    let performed = Mutex<[(OperationCommand, MinorUnits)]>([])
    let statusReport = Mutex(Outcome<GatewayAnswer>.unknown(reason: "it does not answer"))
    let asked = Mutex(0)
    /// The answer to operations, or `nil` for a success.
    let report = Mutex<Outcome<GatewayAnswer>?>(nil)

    struct Uncalled: Error {}

    let name: String
    let title: String
    let longestExchange = Duration.seconds(30)
    let accounts = [GatewayAccount(name: "default", merchantIdentifier: "M1")]
    let orderFields = FortModule.orderFields
    let answerFields = FortModule.answerFields

    /// - Parameter isFort: Whether the gateway has FORT's name.
    init(isFort: Bool = true) {
        name = isFort ? FortModule.name : "portmone"
        title = isFort ? FortModule.title : "Portmone"
    }

    func prepare(
        _ fields: [String: String], account: String, with token: PaymentToken
    ) throws(ValidationErrors) -> any PreparedCharge {
        throw ValidationErrors([ValidationError(field: "command", detail: "nothing is charged here")])
    }

    func prepareRecurring(
        _ fields: [String: String], account: String
    ) throws(ValidationErrors) -> any PreparedCharge {
        throw ValidationErrors([ValidationError(field: "command", detail: "nothing is charged here")])
    }

    func validationErrors(in fields: [String: String]) -> [ValidationError] { [] }

    func whyUnverified(_ account: String) async -> UnverifiedAccount? { nil }

    func perform(
        _ payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) async -> Outcome<GatewayAnswer> {
        performed.withLock { $0.append((operation.command, operation.amount)) }
        if let report = report.withLock({ $0 }) { return report }
        let meaning: GatewayAnswer.Meaning =
            switch operation.command {
            case .capture: .captured
            case .voidAuthorization: .voided
            case .refund: .refunded
            }
        let fields: JSONObject = ["response_code": "06000", "response_message": "Success."]
        return .answered(GatewayAnswer(meaning: meaning, response: fields, fields: answerFields))
    }

    func validationErrors(
        in payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) -> [ValidationError] { [] }

    func status(of payment: Payment) async -> Outcome<GatewayAnswer> {
        asked.withLock { $0 += 1 }
        return statusReport.withLock { $0 }
    }

    func status(of merchantReference: String, account: String) async -> Outcome<GatewayAnswer> {
        .unknown(reason: "it does not answer")
    }
}
