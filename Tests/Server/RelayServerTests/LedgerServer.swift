import AccessControl
import ApplePayToken
import Foundation
import HTTPListener
import HTTPTypes
import Hummingbird
import JournalContract
import Logging
import Observability
import OutboundHTTP
import PaymentRelay
import PayrelayPrimitives
import RelayServer
import ServiceLifecycle
import Synchronization
import Testing
import TokenMint
import UnderWay

/// A gateway behind the server: the ledger, or a connected module.
struct GatewayBehind: Sendable {
    let gateway: any Gateway
    let fields: AnswerFields
    let availability: @Sendable () -> [AccountAvailability]
    let services: [any Service]
    let routes: @Sendable (PaymentRelay) -> [Route]

    static func ledger() -> GatewayBehind {
        let ledger = Ledger()
        return GatewayBehind(
            gateway: ledger, fields: ledger.answerFields, availability: { ledger.availability }, services: [],
            routes: { ledger.routes(relay: $0) })
    }
}

/// The server with the ledger, or another gateway, behind it, on real sockets.
struct LedgerServer {
    let client: OutboundClient
    let port: Int
    let adminPort: Int

    struct Answer {
        let answer: OutboundAnswer
        let json: JSON

        var status: Int { answer.status }
        var body: [UInt8] { answer.body }
        func header(_ name: String) -> String? { answer.header(name) }
    }

    /// - Parameter authenticator: The authenticator, or `nil` if clients do not authenticate.
    static func run(
        gateway: GatewayBehind = .ledger(), authenticator: ReloadableValue<Authenticator>? = nil,
        limits: ListenerLimits = ListenerLimits(), hosts: AllowedHosts = .any,
        _ use: @escaping @Sendable (LedgerServer) async throws -> Void
    ) async throws {
        let logger = Logger(label: "test") { LineLogHandler(label: $0, level: .critical, output: { _ in }) }
        let (journal, metrics) = (MemoryJournal(), RelayMetrics())
        let relay = PaymentRelay(
            policy: .init(
                verifier: TokenVerifier(anchor: try SandboxPKI.published.anchor(), freshness: .seconds(86_400)),
                notFoundAfter: .seconds(60)),
            journal: journal,
            gateways: .only(
                gateway.gateway, vocabulary: AnswerVocabulary([(gateway.gateway.name, gateway.fields)])),
            logger: logger)
        let (requests, state) = (WorkUnderWay(), ListenerState())
        let (ports, listening) = AsyncStream.makeStream(of: (Bool, Int).self)
        func capacity() -> ListenerCapacity {
            ListenerCapacity(limits: limits, respond: Problem.answer)
        }
        let address = ListenerAddress(host: "127.0.0.1", port: 0)
        let router = RelayRouter(
            routes: RelayRoutes(relay: relay, bodyLimit: 65_536).all + gateway.routes(relay),
            metrics: metrics, authentication: authenticator.map { .clients($0) } ?? .none, limits: limits,
            requests: requests, hosts: hosts)
        let probes = AdminRoutes(
            readiness: JournalProbe(logger: logger, timeout: .seconds(86_400)) { await journal.checkDurability() },
            relay: relay,
            availability: { [GatewayAvailability(name: gateway.gateway.name, accounts: gateway.availability())] },
            listener: state, drain: DrainService(pause: .zero, logger: logger), metrics: metrics, requests: requests,
            delivery: nil
        ).probes
        let services: [any Service] =
            gateway.services + [
                Investigation(
                    investigator: Investigator(relay: relay, logger: logger, interval: .milliseconds(10))),
                ListenerService(
                    router, at: address, capacity: capacity(), runsOnEventLoop: true, patience: .seconds(2),
                    requests: requests,
                    onListening: { port in
                        state.begin()
                        listening.yield((true, port))
                    }, logger: logger),
                ListenerService(
                    RelayRouter(routes: probes, metrics: nil, hosts: AllowedHosts()),
                    at: address, capacity: capacity(), patience: .zero,
                    onListening: { listening.yield((false, $0)) }, logger: logger),
            ]
        let group = ServiceGroup(configuration: .init(services: services, logger: logger))
        let client = OutboundClient()
        defer { client.shutdown() }
        try await withThrowingTaskGroup { tasks in
            tasks.addTask { try await group.run() }
            var (port, adminPort) = (0, 0)
            for await (isPublic, number) in ports {
                if isPublic { port = number } else { adminPort = number }
                if port > 0, adminPort > 0 { break }
            }
            let server = LedgerServer(client: client, port: port, adminPort: adminPort)
            do { try await use(server) } catch { Issue.record(error) }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    func token(_ amount: Int) throws -> JSON {
        try TokenMint().mint(TokenContents(amount: amount, currency: "OMR"), signedAt: Date())
    }

    func body(_ reference: String, _ amount: Int, _ command: String) -> (JSON) -> JSON {
        { token in
            [
                "command": .string(command), "merchant_reference": .string(reference), "amount": JSON(amount),
                "token": token,
            ]
        }
    }

    func pay(_ reference: String, _ amount: Int, _ command: String) async throws -> Answer {
        try await post("/v1/payments", body(reference, amount, command)(try token(amount)))
    }

    func post(_ path: String, _ json: JSON?) async throws -> Answer {
        try await send(
            OutboundRequest(
                url: "http://127.0.0.1:\(port)\(path)", headers: [("Content-Type", "application/json")],
                body: json?.encoded() ?? [], connectTimeout: .seconds(90), timeout: .seconds(300)))
    }

    func get(_ path: String) async throws -> Answer {
        try await send(
            OutboundRequest(
                method: .get, url: "http://127.0.0.1:\(port)\(path)", connectTimeout: .seconds(90),
                timeout: .seconds(300)))
    }

    func admin(_ path: String) async throws -> Answer {
        try await send(
            OutboundRequest(
                method: .get, url: "http://127.0.0.1:\(adminPort)\(path)", connectTimeout: .seconds(90),
                timeout: .seconds(300)))
    }

    private func send(_ request: OutboundRequest) async throws -> Answer {
        let answer = try await client.send(request).get()
        return Answer(answer: answer, json: answer.body.isEmpty ? .null : try JSON(parsing: answer.body))
    }
}

/// A service that queries the ledger about its hints.
private struct Investigation: Service {
    let investigator: Investigator

    func run() async { await cancelWhenGracefulShutdown { await investigator.run() } }
}
