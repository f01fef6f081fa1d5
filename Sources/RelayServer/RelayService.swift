import Primitives
import AccessControl
import ApplePaySession
import FortAPI
import FortProcessor
import FoundationEssentials
import HTTPGuard
import Hummingbird
import HummingbirdCore
public import Logging
import MerchantWebhook
import NIOCore
import OutboundHTTP
import PaymentRelay
public import ServiceLifecycle

/// The service, wired: configuration in, listeners out.
///
/// This room is HTTP: what clients send becomes an order and a token, what the core answers becomes a response, and every
/// error one shape of problem details. One endpoint is one file. Nothing is decided here about money.
public struct RelayService: Service, CustomStringConvertible {
    /// Without the configuration: a log of the process's services, which is written at `debug`, must not spell its keys out.
    public var description: String { "RelayService" }

    private let configuration: RelayConfiguration
    private let logger: Logger
    private let onListening: @Sendable (Int) async -> Void

    /// - Parameter onListening: told the public listener's port once it takes connections; for port 0, the one it got.
    public init(
        configuration: RelayConfiguration, logger: Logger,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.logger = logger
        self.onListening = onListening
    }

    /// Runs until graceful shutdown or cancellation: listeners close first, then what is under way is carried through.
    public func run() async throws {
        let connections = configuration.limits.connections + configuration.limits.connectionsInTransit
        try OpenFiles.allow(connections + configuration.fortLimits.requestsInFlight + 256)
        let metrics = RelayMetrics()
        let opened = try await configuration.journal.open { [logger] record in
            metrics.unreadableRecords.count(NoLabels())
            logger.critical(
                "journal record unreadable; its payment is set aside",
                metadata: ["merchant_reference": "\(record.merchantReference)", "column": "\(record.column)"])
        }
        let journal = ObservedJournal(journal: opened, metrics: metrics)
        for path in configuration.journal.filesOpenToOthers {
            logger.warning("a file of the journal is open to more than its owner", metadata: ["path": "\(path)"])
        }
        let outbound = OutboundClient()
        defer { outbound.shutdown() }
        // A client of its own: FORT is not shown the merchant's certificate.
        let apple = configuration.applePaySessions.map { OutboundClient($0.outbound) }
        defer { apple?.shutdown() }
        let availability = FortAvailability()
        let fort = GuardedTransport(outbound, limits: configuration.fortLimits) { [logger] isReachable in
            availability.learn(isReachable: isReachable)
            if isReachable {
                logger.notice("FORT circuit breaker closed")
            } else {
                logger.error("FORT circuit breaker open: nothing is sent")
            }
        }
        let clients = FortClients(
            accounts: configuration.fortAccounts, endpoint: configuration.fortEndpoint, transport: fort
        ) { exchange in
            metrics.observe(exchange)
            availability.observe(exchange)
        }
        let processor = FortProcessor(clients: clients, timeout: configuration.fortTimeout) { [logger] in
            metrics.limitViolations(of: $0, $1, logger: logger)
        }
        let relay = PaymentRelay(
            policy: PaymentRelay.Policy(
                verifier: configuration.tokenVerifier, notFoundAfter: configuration.notFoundAfter,
                operationNotFoundAfter: configuration.operationNotFoundAfter,
                processorTimeout: configuration.fortTimeout + configuration.fortLimits.patience,
                answerAfter: configuration.answerAfter, retention: configuration.retention,
                overdueAfter: configuration.overdueAfter,
                recordsEvents: configuration.events != nil),
            journal: journal, processor: processor, logger: logger, observe: { metrics.observe($0) })
        // On connections of its own: a backend that hangs must not be in FORT's way.
        let webhooks = configuration.events.map { _ in OutboundClient() }
        defer { webhooks?.shutdown() }
        let delivery = configuration.events.flatMap { settings in
            webhooks.map {
                EventDelivery(relay: relay, receiver: MerchantWebhook(settings, client: $0), logger: logger)
            }
        }

        let authenticator = configuration.access.map {
            ReloadableAuthenticator($0, fetchingWith: outbound, logger: logger)
        }
        let certificate = try configuration.tls.map { try ListenerCertificate($0) }
        let requests = RequestsUnderWay()
        let listener = ListenerState()
        let drain = DrainService(pause: configuration.drainPause, logger: logger)
        // They stop from the last to the first.
        var services: [any Service] = delivery.map { [EventDeliveryService(delivery: $0)] } ?? []
        services += [
            FortWatchService(
                fort: fort, endpoint: configuration.fortEndpoint,
                probe: try .probe(for: configuration.fortAccounts.entries[0].account)),
            ReconcilerService(
                relay: relay, logger: logger, fortRequestsAtOnce: configuration.fortLimits.requestsInFlight),
            FreeMemoryService(),
            application(
                AdminRouter(
                    readiness: JournalReadiness(logger: logger) { try await journal.checkDurability() }, relay: relay,
                    fort: availability, listener: listener, drain: drain,
                    metrics: metrics, requests: requests, delivery: delivery, certificate: certificate,
                    merchantIdentity: configuration.applePaySessions?.identity
                ).make(hosts: AllowedHosts([configuration.admin.host])), at: configuration.admin,
                capacity: ListenerCapacity(limits: ListenerLimits(connections: 64)),
                onListening: { [logger, host = configuration.admin.host] port in
                    logger.info("admin listening", metadata: ["host": "\(host)", "port": "\(port)"])
                }),
            application(
                RelayRouter.make(
                    routes(relay, processor, clients, apple), gate: AccessGate(authenticator: authenticator),
                    proxies: configuration.trustedProxies, limits: configuration.limits, requests: requests,
                    metrics: metrics, scheme: certificate == nil ? "http" : "https", hosts: configuration.allowedHosts),
                at: configuration.http,
                capacity: ListenerCapacity(limits: configuration.limits, proxies: configuration.trustedProxies) {
                    metrics.shed.count(KindLabels($0))
                }, certificate: certificate, requests: requests,
                interrupt: { outbound.shutdown() },
                onListening: { [onListening] port in
                    listener.begin()
                    await onListening(port)
                }),
        ]
        if let end = configuration.applePaySessions?.identity.notAfter, end.timeIntervalSinceNow < 30 * 86_400 {
            logger.warning("the merchant identity certificate ends soon, or has ended", metadata: ["end": "\(end)"])
        }
        if configuration.tokenVerifier == nil {
            logger.warning("token verification is off: tokens are relayed unchecked")
        }
        if configuration.access == nil {
            logger.warning("no authentication configured: listening on loopback only")
        } else if configuration.tls == nil, !IPAddress.isLoopback(host: configuration.http.host) {
            logger.warning(
                "no TLS on the public listener: terminate TLS in a proxy, or API keys and tokens are sent in clear text"
            )
        }
        if certificate != nil || authenticator != nil {
            services.append(ReloadService(certificate: certificate, authenticator: authenticator, logger: logger))
        }
        services.append(drain)
        try await ServiceGroup(configuration: .init(services: services, logger: logger)).run()
    }

    func routes(
        _ relay: PaymentRelay, _ processor: any Processor, _ clients: FortClients, _ apple: OutboundClient?
    ) -> [RelayRouter.Route] {
        let pay = CreatePayment(relay: relay, processor: processor, bodyLimit: configuration.bodyLimit)
        let payment = GetPayment(relay: relay)
        let verify = VerifyToken(relay: relay, bodyLimit: configuration.bodyLimit)
        let feedback = ReceiveFeedback(relay: relay, accounts: configuration.fortAccounts, logger: logger)
        let sdkToken = CreateSdkToken(
            clients: clients, timeout: configuration.fortTimeout, bodyLimit: configuration.bodyLimit)
        let sessionClient = apple.flatMap { apple in
            configuration.applePaySessions.map { SessionClient($0, transport: apple) }
        }
        let session = CreateApplePaySession(client: sessionClient, bodyLimit: configuration.bodyLimit)
        let domainFile = GetDomainAssociation(file: configuration.applePayDomainFile)
        func perform(_ command: OperationCommand) -> RelayRouter.Route.Respond {
            CreateOperation(command: command, relay: relay, bodyLimit: configuration.bodyLimit).respond
        }
        return [
            .init(
                method: .post, path: "/v1/payments", access: .clientsAndOrderTokens(with: .paymentsCreate),
                bodyLimit: configuration.bodyLimit, respond: pay.respond),
            .init(
                method: .get, path: "/v1/payments/:merchant_reference",
                access: .clientsAndOrderTokens(with: .paymentsRead), respond: payment.show),
            .init(
                method: .post, path: "/v1/payments/:merchant_reference/sync", access: .clients(with: .paymentsManage),
                respond: payment.sync),
            .init(
                method: .post, path: "/v1/payments/:merchant_reference/capture",
                access: .clients(with: .paymentsManage), bodyLimit: configuration.bodyLimit, respond: perform(.capture)
            ),
            .init(
                method: .post, path: "/v1/payments/:merchant_reference/void", access: .clients(with: .paymentsManage),
                bodyLimit: configuration.bodyLimit, respond: perform(.voidAuthorization)),
            .init(
                method: .post, path: "/v1/payments/:merchant_reference/refund", access: .clients(with: .paymentsManage),
                bodyLimit: configuration.bodyLimit, respond: perform(.refund)),
            .init(
                method: .post, path: "/v1/sdk-tokens", access: .clients(with: .sdkTokensCreate),
                bodyLimit: configuration.bodyLimit, respond: sdkToken.respond),
            .init(
                method: .post, path: "/v1/apple-pay/sessions", access: .clients(with: .sessionsCreate),
                bodyLimit: configuration.bodyLimit, respond: session.respond),
            .init(
                method: .post, path: "/v1/tokens/verify", access: .clients(with: .tokensVerify),
                bodyLimit: configuration.bodyLimit, respond: verify.respond
            ),
            .init(
                method: .get, path: "/.well-known/apple-developer-merchantid-domain-association", access: .anyone,
                respond: domainFile.respond),
            .init(method: .get, path: "/openapi.yaml", access: .anyone, respond: GetOpenAPI().respond),
        ]
            + ReceiveFeedback.paths.map {
                .init(
                    method: .post, path: RouterPath($0), access: .anyone, bodyLimit: FortFeedback.sizeLimit,
                    respond: feedback.respond)
            }
    }

    private func application(
        _ responder: some HTTPResponder<some InitializableFromSource<ApplicationRequestContextSource>>,
        at listener: RelayConfiguration.Listener, capacity: ListenerCapacity, certificate: ListenerCertificate? = nil,
        requests: RequestsUnderWay? = nil, interrupt: @escaping @Sendable () -> Void = {},
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) -> some Service {
        let application = Application(
            responder: responder,
            server: certificate.map { .tls($0, capacity) } ?? .plain(capacity),
            configuration: .init(
                address: .hostname(listener.host, port: listener.port), backlog: 1_024,
                availableConnectionsDelegate: .maximum(
                    capacity.limits.connections + capacity.limits.connectionsInTransit, logger: logger)),
            onServerRunning: { await onListening($0.localAddress?.port ?? listener.port) }, logger: logger)
        // Operators have nothing under way that is worth waiting for.
        return ListenerService(
            listener: application, address: listener,
            patience: requests == nil ? .seconds(2) : configuration.stopAfter, requests: requests,
            interrupt: interrupt)
    }
}
