import AccessControl
import ApplePaySession
import ApplePayToken
import Composition
import Console
import Foundation
import HTTPListener
import OutboundHTTP
import PayrelayPrimitives
import RelayServer
import SandboxParts
import ServiceLifecycle
import TokenMint

/// A relay, the sandboxes of its gateways, and a simulated session host of Apple in one process, connected over
/// loopback, with the checkout page. `dev` and `demo` run it.
struct Development: Service {
    let gateways: [any GatewaySandbox]
    let httpPort: Int
    let adminPort: Int
    let sandboxPort: Int
    /// `nil` for loopback.
    let network: DevelopmentNetwork?
    /// `nil` if clients need not authenticate, which is so on loopback.
    private let access: DevelopmentAccess?
    /// The keys of the merchant's backend for order tokens.
    private let orderTokenKeys: [JWTKey]
    /// `nil` if no events are sent.
    private let events: MerchantWebhook.Settings?
    let telemetry: Telemetry
    /// Called when all listeners accept connections, with the ports and a key for each role of the console.
    let onListening: @Sendable (DevelopmentPorts, KeyValuePairs<OperatorRole, OperatorKey>) async -> Void
    /// The operators' keys, which are new at each start.
    private let operatorKeys: KeyValuePairs<OperatorRole, OperatorKey> = [
        .finance: OperatorKey(), .support: OperatorKey(), .viewer: OperatorKey(),
    ]
    private let log: ExchangeLog
    private let orderTokens: JWTSigningKey

    init(
        httpPort: Int, adminPort: Int, sandboxPort: Int, network: DevelopmentNetwork? = nil,
        access: DevelopmentAccess? = nil, orderTokenKeys: [JWTKey] = [], events: MerchantWebhook.Settings? = nil,
        telemetry: Telemetry,
        onListening: @escaping @Sendable (DevelopmentPorts, KeyValuePairs<OperatorRole, OperatorKey>) async -> Void
    ) throws {
        let log = ExchangeLog()
        gateways = try GatewaySandboxes.make(observe: { log.record($0) })
        let keys = try JWTKeyPair(.es256, named: "checkout-page", client: "checkout-page")
        orderTokens = try JWTSigningKey.key(
            parsing: String(decoding: keys.signing.encoded(), as: UTF8.self), named: nil)
        self.log = log
        self.httpPort = httpPort
        self.adminPort = adminPort
        self.sandboxPort = sandboxPort
        self.network = network
        self.access = access
        self.orderTokenKeys = orderTokenKeys
        self.events = events
        self.telemetry = telemetry
        self.onListening = onListening
    }

    func run() async throws {
        let sessions = try DevelopmentSessionHost()
        defer { sessions.removeCertificates() }
        let (addresses, listening) = AsyncStream.makeStream(of: Listening.self)
        let sandboxes = SandboxService(gateways.map(\.sandbox), port: sandboxPort, logger: telemetry.logger) {
            listening.yield(.sandboxes(port: $0))
        }
        let host = sessions.service(logger: telemetry.logger) { listening.yield(.sessionHost(port: $0)) }
        // A graceful stop reaches all tasks; a failure of one task cancels the others.
        try await withThrowingTaskGroup { group in
            group.addTask { try await sandboxes.run() }
            group.addTask { try await host.run() }
            group.addTask {
                var (sandboxes, sessionHost): (Int?, Int?)
                for await address in addresses {
                    switch address {
                    case .sandboxes(let port): sandboxes = port
                    case .sessionHost(let port): sessionHost = port
                    }
                    if let sandboxes, let sessionHost {
                        listening.finish()
                        try await relay(toSandboxesAt: sandboxes, try sessions.settings(port: sessionHost)).run()
                    }
                }
            }
            for try await _ in group {}
        }
    }

    /// A listener that must be listening before the relay starts.
    private enum Listening {
        case sandboxes(port: Int)
        case sessionHost(port: Int)
    }

    private func relay(toSandboxesAt port: Int, _ sessions: SessionSettings) throws -> RelayService {
        var configuration = try RelayConfiguration(
            modules: gateways.map { try $0.module(at: $0.address(at: port)) })
        configuration.http.port = httpPort
        configuration.admin.port = adminPort
        configuration.tokenVerifier = TokenVerifier(anchor: try SandboxPKI.published.anchor())
        configuration.applePaySessions = sessions
        configuration.journal = .memory
        configuration.events = events
        // Restricted to its own host name, even if clients authenticate.
        configuration.hosts = []
        network?.apply(to: &configuration)
        let keys = [orderTokens.verificationKey] + orderTokenKeys
        configuration.access = try access?.policy(keys)
        configuration.operators = OperatorPolicy(
            Operators(
                try operatorKeys.map { try OperatorEntry(name: $0.key.rawValue, permission: $0.key, key: $0.value) }))
        let page = CheckoutPage(
            log: log, orderTokens: orderTokens, validationURL: sessions.gateway.staticEndpoint.url,
            isTLS: network != nil)
        let trust = try network.map { try TrustPage($0.certificates.authority) }
        let development = DevelopmentExtension(
            sandboxes: gateways.map { $0.address(at: port) }, routes: page.routes + (trust?.routes ?? []),
            simulatorTokens: .minted,
            pages: [desk.pages], orderTokens: try DevelopmentAccess.ofOrderTokens(keys),
            observePayment: { [log] in log.record($0, $1) })
        let admin = AsyncStream.makeStream(of: Int.self)
        return try RelayService(
            configuration: configuration, telemetry: telemetry, development: development,
            onListening: { relayPort in
                guard let adminPort = await admin.stream.first(where: { _ in true }) else { return }
                await onListening(DevelopmentPorts(relay: relayPort, admin: adminPort, sandbox: port), operatorKeys)
            }, onAdminListening: { admin.continuation.yield($0) })
    }
}

extension Development {
    /// Returns the newest request of the relay to a gateway, as JSON; `nil` before the first.
    func lastRequest(to gateway: String) -> String? {
        log.newest(limit: 10).first { $0["with"] == .string(gateway) }?["request"]?.stringValue
    }

    /// The console's access to the sandboxes. It has no checkout URL if the system chooses the relay's port.
    fileprivate var desk: SandboxDesk {
        SandboxDesk(
            checkoutURL: httpPort == 0 ? nil : (network?.url(port: httpPort) ?? "http://127.0.0.1:\(httpPort)") + "/",
            sandboxes: gateways.map(\.sandbox),
            exchanges: { [log] in log.newest(limit: $0) })
    }
}

/// The ports of the relay, its admin listener and the sandbox, which are known when all of them listen.
struct DevelopmentPorts: Sendable {
    let relay: Int
    let admin: Int
    let sandbox: Int
}

extension SimulatorTokens {
    /// Mints tokens with the sandbox's keys. The network is the one that the Simulator shows, if the mint has a
    /// card of it.
    fileprivate static let minted = SimulatorTokens { contents in
        try TokenMint().mint(
            TokenContents(
                amount: contents.amount.value, currency: contents.currency,
                network: contents.network.flatMap(CardNetwork.init(rawValue:)) ?? .visa),
            applicationData: contents.applicationData?.bytes, signedAt: Date())
    }
}
