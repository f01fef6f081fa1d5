import AccessControl
import Console
import FortAPI
import GatewayModule
import HTTPTypes
import Logging
import Observability
import OutboundHTTP
import PaymentRelay
import PayrelayPrimitives
import RelayServer
import ServiceLifecycle

/// FORT in the running service: the gateway with its circuit breaker and metrics, and its additions to the
/// server.
struct FortConnection: ConnectedGateway {
    let gateway: any Gateway
    let recovery: any Service
    let services: [any Service]
    let pages: GatewayPages
    private let accounts: FortAccounts
    private let guarded: GuardedTransport
    private let clients: FortClients
    private let timeout: Duration
    private let seen: AvailabilityWatch
    private let logger: Logger

    /// - Parameters:
    ///   - transport: a transport without a circuit breaker.
    ///   - registry: the registry to which FORT's metrics are added.
    /// - Throws: an error if no probe can be created for the first account.
    init(
        _ module: FortModule, transport: any GatewayTransport, registry: MetricsRegistry, logger: Logger
    ) throws {
        let metrics = FortMetrics(in: registry)
        let seen = AvailabilityWatch(
            of: FortModule.title, accounts: module.fortAccounts.entries.map(\.name), logger: logger)
        let guarded = GuardedTransport(transport, limits: module.limits) { isReachable in
            seen.circuitBreakerChanged(isClosed: isReachable)
            metrics.circuitBreakerChanged(isClosed: isReachable)
            if isReachable {
                logger.notice("FORT circuit breaker closed")
            } else {
                logger.error("FORT circuit breaker open: nothing is sent")
            }
        }
        clients = FortClients(accounts: module.fortAccounts, endpoint: module.endpoint, transport: guarded) {
            exchange in
            metrics.observe(exchange)
            seen.observe(exchange, of: module.fortAccounts)
        }
        let accountProbe = AccountProbe(
            seen, accounts: module.fortAccounts, endpoint: module.endpoint, transport: guarded.probing,
            timeout: min(module.timeout, AccountProbe.timeout)
        ) { exchange in
            metrics.observe(exchange)
            seen.observe(exchange, of: module.fortAccounts, isProbe: true)
        }
        gateway = FortGateway(
            clients: clients, timeout: module.timeout,
            warn: { metrics.limitViolations(of: $0, $1, logger: logger) }, whyUnverified: accountProbe.whyUnverified)
        let probe = try FortMessage.probe(for: module.fortAccounts.entries[0].account)
        recovery = CircuitBreakerProbe {
            await guarded.watch(
                with: .json(probe.body, to: module.endpoint, timeout: module.timeout))
        }
        services = [accountProbe]
        pages = .ofFort(module.fortAccounts)
        accounts = module.fortAccounts
        timeout = module.timeout
        self.seen = seen
        self.guarded = guarded
        self.logger = logger
    }

    func divideLimits(among instances: Int) { guarded.divideLimit(among: instances) }

    var availability: [AccountAvailability] { seen.all }

    func queryAccountsSoon() { seen.querySoon() }

    /// The routes for FORT's feedback and for SDK tokens.
    func routes(relay: PaymentRelay, bodyLimit: Int) -> [Route] {
        let sdkToken = CreateSdkToken(clients: clients, timeout: timeout)
        let receiver = HintReceiver(relay: relay, title: FortModule.title)
        let feedback = [("/v1/feedback/direct", FeedbackKind.direct), ("/v1/feedback/notification", .notification)]
        return [
            Route(
                .post, "/v1/sdk-tokens", access: .clients(with: .sdkTokensCreate), bodyLimit: bodyLimit,
                respond: sdkToken.respond)
        ]
            + feedback.map { path, kind in
                Route(
                    .post, path, access: .gateway, bodyLimit: FortFeedback.sizeLimit,
                    respond: ReceiveFeedback(receiver: receiver, kind: kind, accounts: accounts, logger: logger).respond
                )
            }
    }
}
