import ApplePayToken
import FortAPI
import Foundation
import HTTPListener
import HTTPTypes
import Hummingbird
import JournalContract
import Logging
import NIOCore
import NIOEmbedded
import Observability
import OutboundHTTP
import PaymentRelay
import PayrelayPrimitives
import Synchronization
import TokenMint
import UnderWay

@testable import FortModule
@testable import RelayServer

/// The routers on a relay that trusts the sandbox's root, with an unreachable FORT and a clock that stands still.
struct ServerBench {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let contents = TokenContents(amount: 10_000, currency: "AED")

    let relay: PaymentRelay
    private let fort: FortConnection
    private let journal = MemoryJournal()
    let metrics = RelayMetrics()
    let listener = ListenerState()
    let drain = DrainService(pause: .zero, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })

    /// - Parameter ledger: The relay's gateway, or `nil` for the unreachable FORT.
    init(verifier: TokenVerifier?, ledger: Ledger? = nil) throws {
        let account = try FortAccount(
            accessCode: "ACCESS", merchantIdentifier: "MERCHANT", requestPhrase: Secret("REQ"),
            responsePhrase: Secret("RES"))
        let metrics = metrics
        fort = try FortConnection(
            FortModule(accounts: FortAccounts(account), timeout: .seconds(1)), transport: NoFort(),
            registry: metrics.registry, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        relay = PaymentRelay(
            policy: .init(verifier: verifier, notFoundAfter: .seconds(60)), journal: journal,
            gateways: .only(
                ledger ?? fort.gateway, vocabulary: AnswerVocabulary([(FortModule.name, FortModule.answerFields)])),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, now: { Self.now },
            observe: { metrics.observe($0) })
    }

    /// Makes a bench that verifies tokens.
    ///
    /// - Parameter isListening: Whether the public listener counts as taking connections.
    init(isListening: Bool = true, ledger: Ledger? = nil) throws {
        try self.init(verifier: TokenVerifier(anchor: try SandboxPKI.published.anchor()), ledger: ledger)
        if isListening { listener.begin() }
    }

    /// Returns a valid body of `POST /v1/payments`.
    static func order(_ token: JSON) -> JSON {
        [
            "command": "PURCHASE", "merchant_reference": "ORDER-1", "amount": 10_000, "currency": "AED",
            "language": "en", "customer_email": "sara@example.com", "customer_ip": "192.0.2.10", "token": token,
        ]
    }

    /// Returns the answer to a POST on the public listener.
    func post(_ path: String, _ body: JSON) async throws -> (status: HTTPResponse.Status, json: JSON) {
        let pay = CreatePayment(relay: relay)
        let verify = VerifyToken(relay: relay)
        let answer = try await Self.answer(
            metrics: metrics,
            of: [
                Route(
                    .post, "/v1/payments", access: .anyone, bodyLimit: 65_536, respond: pay.respond),
                Route(
                    .post, "/v1/tokens/verify", access: .anyone, bodyLimit: 65_536,
                    respond: verify.respond),
            ], to: .post, path, body.encoded())
        return (answer.status, try JSON(parsing: answer.body))
    }

    /// Returns these routes' answer to a request.
    static func answer(
        metrics: RelayMetrics = RelayMetrics(), of routes: [Route], to method: HTTPRequest.Method,
        _ path: String, _ body: [UInt8] = [], headers: HTTPFields = [:]
    ) async throws -> (status: HTTPResponse.Status, headers: HTTPFields, body: [UInt8]) {
        var head = HTTPRequest(method: method, scheme: "http", authority: "relay", path: path, headerFields: headers)
        if !body.isEmpty { head.headerFields[.contentType] = "application/json" }
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: body)))
        let channel = NIOAsyncTestingChannel()
        // Work after a request runs on the loop of its connection, which no thread runs here.
        let loop = Task {
            while !Task.isCancelled {
                await channel.testingEventLoop.run()
                try? await Task.sleep(for: .milliseconds(1))
            }
        }
        defer { loop.cancel() }
        let response = await RelayRouter(routes: routes, metrics: metrics).respond(
            to: request, context: RelayRequestContext(source: Self.source(channel)))
        return (response.status, response.headers, try await response.bytes())
    }

    /// Returns the text that operators get.
    func admin(
        _ path: String, readiness: JournalProbe? = nil, certificates: ConfiguredCertificates = ConfiguredCertificates()
    ) async throws -> String {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: path)
        let routes = AdminRoutes(
            readiness: readiness
                ?? JournalProbe(logger: logger, timeout: .seconds(86_400)) { [journal] in
                    await journal.checkDurability()
                },
            relay: relay,
            availability: { [fort] in [GatewayAvailability(name: "fort", accounts: fort.availability)] },
            listener: listener, drain: drain, metrics: metrics,
            requests: WorkUnderWay(), delivery: nil, certificates: certificates
        )
        let response = await RelayRouter(routes: routes.probes, metrics: nil, hosts: AllowedHosts()).respond(
            to: Request(head: head, body: RequestBody(buffer: ByteBuffer())),
            context: RelayRequestContext(source: Self.source(NIOAsyncTestingChannel())))
        return String(decoding: try await response.bytes(), as: UTF8.self)
    }

    /// Returns a request's source without a socket.
    private static func source(_ channel: NIOAsyncTestingChannel) -> ApplicationRequestContextSource {
        var logger = Logger(label: "test") { LineLogHandler(label: $0, level: .critical, output: { _ in }) }
        logger[metadataKey: "hb.request.id"] = "test"
        return ApplicationRequestContextSource(channel: channel, logger: logger)
    }

    private struct NoFort: GatewayTransport {
        func send(_ request: OutboundRequest) async -> Outcome<OutboundAnswer> {
            .notSent(reason: "this test has no FORT")
        }
    }
}

extension Response {
    /// Returns the whole body.
    fileprivate func bytes() async throws -> [UInt8] {
        let collected = BodyCollector.Bytes()
        try await body.write(BodyCollector(bytes: collected))
        return collected.value.withLock { $0 }
    }
}

/// A writer that keeps a response's body.
private struct BodyCollector: ResponseBodyWriter {
    final class Bytes: Sendable {
        let value = Mutex<[UInt8]>([])
    }

    let bytes: Bytes

    func write(_ buffer: ByteBuffer) async throws {
        bytes.value.withLock { $0 += buffer.readableBytesView }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
