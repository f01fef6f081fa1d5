import AccessControl
import ApplePaySession
import ApplePayToken
import CheckoutPage
import Composition
import Console
import FortAPI
import FortModule
import OutboundHTTP
import FortSandbox
import PortmoneSandbox
import Foundation
import HTTPListener
import PayrelayPrimitives
import RelayServer
import SandboxParts
import ServiceLifecycle
import TokenMint

/// A relay, the sandboxes of FORT and Portmone, and a session host of Apple's in one process, connected over loopback, with the checkout page. `dev` and
/// `demo` run it.
struct Development: Service {
    let sandbox: FortSandbox
    private let portmone = PortmoneSandboxShop.sandbox()
    let httpPort: Int
    let adminPort: Int
    let sandboxPort: Int
    /// Nil for loopback.
    let network: DevelopmentNetwork?
    /// Nil where clients need not authenticate, on loopback.
    private let access: DevelopmentAccess?
    /// Of the merchant's backend.
    private let orderTokenKeys: [JWTKey]
    let telemetry: Telemetry
    /// Called once all accept connections, with the ports and the key that logs in to the console.
    let onListening: @Sendable (DevelopmentPorts, OperatorKey) async -> Void
    /// Logs in to the console; new at each start.
    private let operatorKey = OperatorKey()
    private let log: ExchangeLog
    private let orderTokens: JWTSigningKey

    init(
        httpPort: Int, adminPort: Int, sandboxPort: Int, network: DevelopmentNetwork? = nil,
        access: DevelopmentAccess? = nil, orderTokenKeys: [JWTKey] = [], telemetry: Telemetry,
        onListening: @escaping @Sendable (DevelopmentPorts, OperatorKey) async -> Void
    ) throws {
        let (accounts, log) = (FortAccounts(try SandboxAccount.fortAccount()), ExchangeLog())
        sandbox = FortSandbox(accounts: accounts, observe: { log.record($0, of: accounts) })
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
        self.telemetry = telemetry
        self.onListening = onListening
    }

    func run() async throws {
        let sessions = try DevelopmentSessionHost()
        defer { sessions.removeCertificates() }
        let (addresses, listening) = AsyncStream.makeStream(of: Listening.self)
        let gateways = FortSandboxService(sandbox, beside: [portmone], port: sandboxPort, logger: telemetry.logger) {
            listening.yield(.sandbox($0))
        }
        let host = sessions.service(logger: telemetry.logger) { listening.yield(.sessionHost(port: $0)) }
        // A graceful stop reaches all; a failure of one cancels the others.
        try await withThrowingTaskGroup { group in
            group.addTask { try await gateways.run() }
            group.addTask { try await host.run() }
            group.addTask {
                var (sandbox, sessionHost): (SandboxAddress?, Int?)
                for await address in addresses {
                    switch address {
                    case .sandbox(let address): sandbox = address
                    case .sessionHost(let port): sessionHost = port
                    }
                    if let sandbox, let sessionHost {
                        listening.finish()
                        try await relay(to: sandbox, try sessions.settings(port: sessionHost)).run()
                    }
                }
            }
            for try await _ in group {}
        }
    }

    /// A listener that must be up before the relay starts.
    private enum Listening {
        case sandbox(SandboxAddress)
        case sessionHost(port: Int)
    }

    private func relay(to sandbox: SandboxAddress, _ sessions: SessionSettings) throws -> RelayService {
        let fort = FortModule(accounts: self.sandbox.accounts, endpoint: sandbox.endpoint)
        let portmone = PortmoneSandbox.address(beside: sandbox)
        var configuration = try RelayConfiguration(modules: [fort, try PortmoneSandboxShop.module(at: portmone)])
        configuration.http.port = httpPort
        configuration.admin.port = adminPort
        configuration.tokenVerifier = TokenVerifier(anchor: try SandboxPKI.published.anchor())
        configuration.applePaySessions = sessions
        configuration.journal = .memory
        // Also with keys it answers under its own name only.
        configuration.hosts = []
        network?.apply(to: &configuration)
        let keys = [orderTokens.verificationKey] + orderTokenKeys
        configuration.access = try access?.policy(keys)
        configuration.operators = OperatorPolicy(
            Operators([try OperatorEntry(name: "developer", role: .finance, key: operatorKey)]))
        let page = CheckoutPage(
            log: log, orderTokens: orderTokens, validationURL: sessions.gateway.staticEndpoint.url,
            isTLS: network != nil)
        let trust = try network.map { try TrustPage($0.certificates.authority) }
        let development = DevelopmentExtension(
            sandboxes: [sandbox, portmone], routes: page.routes + (trust?.routes ?? []), simulatorTokens: .minted,
            pages: [desk.pages], orderTokens: try DevelopmentAccess.ofOrderTokens(keys),
            observePayment: { [log] in log.record($0, $1) })
        let admin = AsyncStream.makeStream(of: Int.self)
        return try RelayService(
            configuration: configuration, telemetry: telemetry, development: development,
            onListening: { port in
                guard let adminPort = await admin.stream.first(where: { _ in true }) else { return }
                await onListening(DevelopmentPorts(relay: port, admin: adminPort, sandbox: sandbox.port), operatorKey)
            }, onAdminListening: { admin.continuation.yield($0) })
    }
}

extension Development {
    /// The console's access to the sandboxes. It has no checkout URL if the system chooses the relay's port.
    fileprivate var desk: SandboxDesk {
        SandboxDesk(
            checkoutURL: httpPort == 0 ? nil : (network?.url(port: httpPort) ?? "http://127.0.0.1:\(httpPort)") + "/",
            sandboxes: [sandbox, portmone],
            exchanges: { [log] in log.newest(limit: $0) })
    }
}

/// Ports of the relay, its admin listener and the sandbox, known once all of them listen.
struct DevelopmentPorts: Sendable {
    let relay: Int
    let admin: Int
    let sandbox: Int
}

extension SimulatorTokens {
    /// With the sandbox's keys, and with the network that the Simulator shows, where the mint has a card of it.
    fileprivate static let minted = SimulatorTokens { contents in
        try TokenMint().mint(
            TokenContents(
                amount: contents.amount.value, currency: contents.currency,
                network: contents.network.flatMap(CardNetwork.init(rawValue:)) ?? .visa),
            applicationData: contents.applicationData?.bytes, signedAt: Date())
    }
}
