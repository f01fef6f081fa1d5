import AccessControl
import Console
import FortAPI
import Hummingbird
import Logging
import Observability
import OutboundHTTP
import PaymentRelay
import ProcessorModule
import RelayServer
import ServiceLifecycle

/// FORT as the running service has it: the processor with its circuit breaker and metrics, and what it adds to the server.
struct FortConnection: ConnectedProcessor {
    let processor: any Processor
    let recovery: any Service
    let services: [any Service]
    let pages: ProcessorPages
    private let accounts: FortAccounts
    private let clients: FortClients
    private let timeout: Duration
    private let seen: FortAvailability
    private let logger: Logger

    /// - Parameters:
    ///   - transport: without a circuit breaker.
    ///   - registry: where its metrics are.
    /// - Throws: where no question can be made for the first account.
    init(
        _ module: FortModule, transport: any GatewayTransport, registry: MetricsRegistry, logger: Logger
    ) throws {
        let metrics = FortMetrics(in: registry)
        let seen = FortAvailability(of: module.fortAccounts)
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
            seen.observe(exchange)
        }
        processor = FortProcessor(clients: clients, timeout: module.timeout) {
            metrics.limitViolations(of: $0, $1, logger: logger)
        }
        recovery = CircuitBreakerProbe(
            fort: guarded, endpoint: module.endpoint,
            probe: try FortMessage.probe(for: module.fortAccounts.entries[0].account))
        services = [
            AccountProbe(
                availability: seen, transport: guarded.probing, endpoint: module.endpoint,
                timeout: min(module.timeout, AccountProbe.timeout)
            ) { exchange in
                metrics.observe(exchange)
                seen.observe(exchange, isQuestion: true)
            }
        ]
        pages = .ofFort(module.fortAccounts)
        accounts = module.fortAccounts
        timeout = module.timeout
        self.seen = seen
        self.logger = logger
    }

    var availability: [AccountAvailability] { seen.all }

    /// For FORT's feedback and for SDK tokens.
    func routes(relay: PaymentRelay, bodyLimit: Int) -> [Route] {
        let sdkToken = CreateSdkToken(clients: clients, timeout: timeout)
        let rate = QuestionRate()
        let feedback = [("/v1/feedback/direct", FeedbackKind.direct), ("/v1/feedback/notification", .notification)]
        return [
            Route(
                .post, "/v1/sdk-tokens", access: .clients(with: .sdkTokensCreate), bodyLimit: bodyLimit,
                respond: sdkToken.respond)
        ]
            + feedback.map { path, kind in
                Route(
                    .post, RouterPath(path), access: .processor, bodyLimit: FortFeedback.sizeLimit,
                    respond: ReceiveFeedback(relay: relay, kind: kind, accounts: accounts, rate: rate, logger: logger)
                        .respond)
            }
    }
}

/// Probes FORT while the circuit breaker is open, and closes it once FORT answers. Without it an open breaker never closes.
private struct CircuitBreakerProbe: Service {
    let fort: GuardedTransport
    let endpoint: GatewayEndpoint
    let probe: FortMessage

    func run() async {
        await cancelWhenGracefulShutdown {
            await fort.watch(endpoint, with: probe.body)
        }
    }
}
