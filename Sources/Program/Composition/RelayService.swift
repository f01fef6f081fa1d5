import AccessControl
import ApplePaySession
import ApplePayToken
import Console
import GatewayModule
import HTTPListener
import Logging
import Observability
import OutboundHTTP
import PaymentRelay
import PayrelayPrimitives
import RelayServer
import SQLJournal
public import ServiceLifecycle
import Settings
import Tracing
import UnderWay

/// The service, composed of its parts: it takes a configuration and runs the listeners. It makes no decisions
/// about money.
public struct RelayService: Service, CustomStringConvertible {
    /// Leaves out the configuration, because services are logged at `debug` and its keys must not be logged.
    public var description: String { "RelayService" }

    private let configuration: RelayConfiguration
    private let telemetry: Telemetry
    private let development: DevelopmentExtension?
    private let onListening: @Sendable (Int) async -> Void
    private let onAdminListening: @Sendable (Int) async -> Void
    private var logger: Logger { telemetry.logger }

    /// - Parameter onListening: called with the port when the public listener accepts connections. If the
    ///   configured port is 0, this is the port that the system chose.
    public init(
        configuration: RelayConfiguration, telemetry: Telemetry,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.telemetry = telemetry
        development = nil
        self.onListening = onListening
        onAdminListening = { _ in }
    }

    /// Creates a relay for development.
    ///
    /// - Parameter onAdminListening: called with the port when the admin listener accepts connections.
    /// - Throws: ``NotTheSandbox`` if a gateway of the configuration is not a sandbox of the extension.
    public init(
        configuration: RelayConfiguration, telemetry: Telemetry, development: DevelopmentExtension,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in },
        onAdminListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) throws(NotTheSandbox) {
        try development.check(configuration.modules)
        self.configuration = configuration
        self.telemetry = telemetry
        self.development = development
        self.onListening = onListening
        self.onAdminListening = onAdminListening
    }

    /// Runs until graceful shutdown or cancellation. First the listeners close, then the work under way is
    /// completed.
    public func run() async throws {
        try configuration.allowOpenFiles()
        let metrics = RelayMetrics(in: telemetry.metrics)
        let journal = try await configuration.openJournal(metrics: metrics, logger: logger)
        let outbound = OutboundClient(OutboundSettings(inFlightLimit: configuration.outboundRequestsAtOnce))
        defer { outbound.shutdown() }
        // Separate clients, so that the merchant's certificate is not shown to a gateway, and a backend that
        // hangs does not block a gateway.
        let apple = configuration.applePaySessions.map { IdentityTransport($0) }
        defer { apple?.shutdown() }
        let webhooks = configuration.events.map { _ in OutboundClient() }
        defer { webhooks?.shutdown() }

        let gateways = try configuration.modules.map {
            try $0.connect(over: outbound, registry: metrics.registry, logger: logger)
        }
        let relay = PaymentRelay(
            policy: configuration.policy, journal: journal,
            gateways: try Gateways(gateways.map(\.gateway), vocabulary: .ofAllGateways),
            logger: logger, tracer: telemetry.spans == nil ? nil : InstrumentationSystem.tracer,
            observe: { metrics.observe($0) })
        let delivery = webhooks.flatMap { self.delivery(of: relay, over: $0) }
        let files = try ReloadableParts(configuration, fetchingWith: outbound, logger: logger)
        let reload = ReloadService(files.all, logger: logger)
        configuration.warnOfUnsafeSettings(hasCertificate: files.certificate != nil, logger: logger)
        try await relay.checkAccountsOfOpenPayments(logger: logger)

        let (requests, state) = (WorkUnderWay(), ListenerState())
        let drain = DrainService(pause: configuration.drainPause, logger: logger)
        let router = RelayRouter(
            routes: routes(of: relay, gateways: gateways, apple: apple) + (development?.routes ?? []),
            metrics: metrics,
            authentication: authentication(by: files.access), proxies: configuration.trustedProxies,
            limits: configuration.limits, requests: requests, scheme: files.certificate == nil ? "http" : "https",
            hosts: configuration.allowedHosts)
        let publicListener = self.publicListener(
            router, certificate: files.certificate, requests: requests, state: state, drain: drain, metrics: metrics,
            interrupt: { outbound.shutdown() })
        let instances = self.instances(of: journal) {
            router.divideLimits(among: $0)
            relay.divideLimits(among: $0)
            for gateway in gateways { gateway.divideLimits(among: $0) }
        }
        await instances?.beat()
        let activity = PaymentActivity(metrics)
        let admin = AdminRoutes(
            readiness: JournalProbe(logger: logger) { try await journal.checkDurability() }, relay: relay,
            availability: {
                gateways.map { gateway in
                    gateway.queryAccountsSoon()
                    return GatewayAvailability(name: gateway.gateway.name, accounts: gateway.availability)
                }
            },
            listener: state, drain: drain, metrics: metrics, requests: requests,
            delivery: delivery, certificates: certificates(in: files), reloads: reload.status, activity: activity,
            instances: { instances?.count })
        let console = try Console(
            relay: relay, operators: files.operators,
            tokens: configuration.operatorTokens?.tokens(fetchingWith: outbound, logger: logger),
            gateways: gateways.map(\.pages) + (development?.pages ?? []), isTLS: files.adminCertificate != nil,
            sendsEvents: delivery != nil, isDraining: { drain.isDraining },
            accountStates: {
                gateways.flatMap { gateway in
                    gateway.queryAccountsSoon()
                    return gateway.availability
                }
            }, health: admin.health,
            configuration: configuration.report?.forConsole ?? [], logger: logger)

        // The services stop in reverse order.
        var services: [any Service] = telemetry.spans.map { [$0] } ?? []
        if let delivery { services.append(EventDeliveryService(delivery: delivery)) }
        services += gateways.flatMap { [$0.recovery] + $0.services }
        services.append(ReconcilerService(relay: relay, logger: logger))
        if let archive = configuration.archive, let age = configuration.archiveAfter {
            services.append(ArchiveService(archive: archive, journal: journal, age: age, logger: logger))
        }
        services += [FreeMemoryService(), PaymentActivityService(activity: activity)]
        services += operatorsListeners(
            admin: admin, console: console, operators: files.operators, certificate: files.adminCertificate)
        if let instances { services.append(instances) }
        services.append(publicListener)
        services += [reload, drain]
        try await ServiceGroup(configuration: .init(services: services, logger: logger)).run()
    }

    /// Returns the service that counts instances; `nil` if the journal allows only one instance.
    private func instances(
        of journal: SQLJournal, divide: @escaping @Sendable (Int) -> Void
    ) -> Instances? {
        guard case .postgres = configuration.journal else { return nil }
        let shares = configuration.sharesLimits
        return Instances(journal, logger: logger) { if shares { divide($0) } }
    }

    /// Returns the delivery of events; `nil` if no events are configured.
    private func delivery(of relay: PaymentRelay, over client: OutboundClient) -> EventDelivery? {
        configuration.events.map {
            EventDelivery(relay: relay, receiver: MerchantWebhook($0, client: client), logger: logger)
        }
    }

    private func certificates(in files: ReloadableParts) -> ConfiguredCertificates {
        ConfiguredCertificates(
            listener: files.certificate, adminListener: files.adminCertificate,
            identities: configuration.applePaySessions?.identities,
            processing: configuration.processingCertificates.certificates)
    }

    /// Returns the routes of the public listener.
    ///
    /// - Parameter apple: `nil` if Apple Pay on the web is not configured.
    private func routes(
        of relay: PaymentRelay, gateways: [any ConnectedGateway], apple: IdentityTransport?
    ) -> [Route] {
        let sessions = apple.flatMap { apple in
            configuration.applePaySessions.map { SessionClient($0, transport: apple) }
        }
        let routes = RelayRoutes(
            relay: relay, bodyLimit: configuration.bodyLimit, sessions: sessions,
            domainFile: configuration.applePayDomainFile, simulatorTokens: development?.simulatorTokens)
        return routes.all.map { development?.observed($0) ?? $0 }
            + gateways.flatMap { $0.routes(relay: relay, bodyLimit: configuration.bodyLimit) }
    }

    private func authentication(by access: ReloadableAccess?) -> RequestAuthentication {
        if let access { return .clients(access.authenticator) }
        guard let orderTokens = development?.orderTokens else { return .none }
        return .clients(ReloadableValue(orderTokens.authenticator(remote: nil)), isRequired: false)
    }

    private func publicListener(
        _ router: RelayRouter, certificate: ListenerCertificate?, requests: WorkUnderWay,
        state: ListenerState, drain: DrainService, metrics: RelayMetrics,
        interrupt: @escaping @Sendable () -> Void
    ) -> any Service {
        ListenerService(
            router, at: configuration.http,
            capacity: ListenerCapacity(
                limits: configuration.limits, proxies: configuration.trustedProxies,
                isDraining: { drain.isDraining }, observe: { metrics.observe($0) }, respond: Problem.answer),
            certificate: certificate, runsOnEventLoop: true, patience: configuration.stopAfter, requests: requests,
            interrupt: interrupt,
            onListening: { [onListening] port in
                state.begin()
                await onListening(port)
            }, logger: logger)
    }

    /// Returns the admin listener with the console, and the monitoring listener if one is configured.
    private func operatorsListeners(
        admin: AdminRoutes, console: Console, operators: ReloadableValue<Operators>,
        certificate: ListenerCertificate?
    ) -> [any Service] {
        let router = RelayRouter(
            routes: admin.probes + admin.operators + console.routes, metrics: nil,
            authentication: .operators(operators), scheme: certificate == nil ? "http" : "https",
            hosts: AllowedHosts([configuration.admin.host] + configuration.adminHosts), page: console.page)
        let adminListener = operatorsListener(
            "admin", router, at: configuration.admin, certificate: certificate, onListening: onAdminListening)
        // A monitoring system uses the name of a service or a pod, so any host name is accepted. A page that uses
        // such a name cannot learn anything about a client.
        let monitoringListener = configuration.monitoring.map {
            operatorsListener("monitoring", RelayRouter(routes: admin.probes, metrics: nil, hosts: .any), at: $0)
        }
        return [adminListener] + (monitoringListener.map { [$0] } ?? [])
    }

    /// Returns a listener for operators. Its requests are not waited for at a stop, because a capture continues
    /// without its page.
    private func operatorsListener(
        _ name: String, _ router: RelayRouter, at address: ListenerAddress, certificate: ListenerCertificate? = nil,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) -> any Service {
        ListenerService(
            router, at: address,
            capacity: ListenerCapacity(limits: ListenerLimits(connections: 64), respond: Problem.answer),
            certificate: certificate, patience: .seconds(2),
            onListening: { [logger] port in
                logger.info("\(name) listening", metadata: ["host": "\(address.host)", "port": "\(port)"])
                await onListening(port)
            }, logger: logger)
    }
}
