import AccessControl
public import FortAPI
public import FortProcessor
import HTTPTypes
import Hummingbird
public import Logging
public import Observability
public import PaymentRelay
public import RelayServer
public import ServiceLifecycle

/// FORT as the server has it: the processor with its circuit breaker and metrics, and what it adds to the server.
public struct FortConnection: Sendable {
    /// What the core charges with.
    public let processor: FortProcessor
    private let accounts: FortAccounts
    private let clients: FortClients
    private let guarded: GuardedTransport
    private let endpoint: FortEndpoint
    private let timeout: Duration
    private let availability: FortAvailability
    private let metrics: FortMetrics
    private let logger: Logger

    /// - Parameters:
    ///   - timeout: of one exchange. After it a payment is uncertain.
    ///   - limits: how much is sent at once, and when the circuit breaker opens.
    ///   - transport: without a circuit breaker.
    ///   - registry: where its metrics are.
    public init(
        accounts: FortAccounts, endpoint: FortEndpoint, timeout: Duration, limits: FortLimits = FortLimits(),
        transport: any FortTransport, registry: MetricsRegistry, logger: Logger
    ) {
        let metrics = FortMetrics(in: registry)
        let availability = FortAvailability(of: accounts)
        guarded = GuardedTransport(transport, limits: limits) { isReachable in
            availability.circuitBreakerChanged(isClosed: isReachable)
            metrics.circuitBreakerChanged(isClosed: isReachable)
            if isReachable {
                logger.notice("FORT circuit breaker closed")
            } else {
                logger.error("FORT circuit breaker open: nothing is sent")
            }
        }
        clients = FortClients(accounts: accounts, endpoint: endpoint, transport: guarded) { exchange in
            metrics.observe(exchange)
            availability.observe(exchange)
        }
        processor = FortProcessor(clients: clients, timeout: timeout) {
            metrics.limitViolations(of: $0, $1, logger: logger)
        }
        self.accounts = accounts
        self.endpoint = endpoint
        self.timeout = timeout
        self.availability = availability
        self.metrics = metrics
        self.logger = logger
    }

    /// The routes for FORT's feedback and for SDK tokens, and two services: the probe of an open circuit breaker, and the questions about
    /// accounts without requests.
    ///
    /// - Parameter bodyLimit: the longest body of a client, in bytes.
    /// - Throws: where the probe cannot be made of the first account.
    public func serverExtension(relay: PaymentRelay, bodyLimit: Int) throws -> ProcessorExtension {
        let rate = QuestionRate()
        let sdkToken = CreateSdkToken(clients: clients, timeout: timeout)
        return ProcessorExtension(
            name: "fort",
            routes: [
                Route(
                    .post, "/v1/sdk-tokens", access: .clients(with: .sdkTokensCreate), bodyLimit: bodyLimit,
                    respond: sdkToken.respond)
            ]
                + [("/v1/feedback/direct", FeedbackKind.direct), ("/v1/feedback/notification", .notification)].map {
                    path, kind in
                    Route(
                        .post, path, access: .processor, bodyLimit: FortFeedback.sizeLimit,
                        respond: ReceiveFeedback(
                            relay: relay, kind: kind, accounts: accounts, rate: rate, logger: logger
                        ).respond)
                },
            services: [
                try circuitBreakerProbe(),
                AccountProbe(
                    availability: availability, transport: guarded.probing, endpoint: endpoint,
                    timeout: min(timeout, AccountProbe.timeout)
                ) { [metrics, availability] exchange in
                    metrics.observe(exchange)
                    availability.observe(exchange, isQuestion: true)
                },
            ],
            availability: { availability.all })
    }

    /// Probes FORT while the circuit breaker is open, and closes it once FORT answers. Without it an open breaker never closes.
    ///
    /// - Throws: where the probe cannot be made of the first account.
    public func circuitBreakerProbe() throws -> any Service {
        CircuitBreakerProbe(
            fort: guarded, endpoint: endpoint, probe: try FortMessage.probe(for: accounts.entries[0].account))
    }
}

private struct CircuitBreakerProbe: Service {
    let fort: GuardedTransport
    let endpoint: FortEndpoint
    let probe: FortMessage

    func run() async {
        await cancelWhenGracefulShutdown {
            await fort.watch(endpoint, with: probe)
        }
    }
}
