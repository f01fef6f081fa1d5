import AccessControl
import ApplePaySession
import ApplePayToken
import Console
import FoundationEssentials
import GatewayModule
import HTTPListener
import Logging
import MerchantWebhook
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
        try allowOpenFiles()
        let metrics = RelayMetrics(in: telemetry.metrics)
        let journal = try await openJournal(metrics)
        let outbound = OutboundClient(
            OutboundSettings(inFlightLimit: configuration.requestsAtOnce + Self.requestsWithoutPlace))
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
        warn(hasCertificate: files.certificate != nil)
        try await checkAccountsOfOpenPayments(relay)

        let (requests, state) = (WorkUnderWay(), ListenerState())
        let drain = DrainService(pause: configuration.drainPause, logger: logger)
        let router = RelayRouter(
            routes: routes(of: relay, gateways, apple) + (development?.routes ?? []),
            metrics: metrics,
            authentication: authentication(files), proxies: configuration.trustedProxies,
            limits: configuration.limits, requests: requests, scheme: files.certificate == nil ? "http" : "https",
            hosts: configuration.allowedHosts)
        let publicListener = self.publicListener(
            router, files.certificate, requests, state, drain, metrics, interrupt: { outbound.shutdown() })
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
            delivery: delivery, certificates: certificates(files), reloads: reload.status, activity: activity,
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
        services += operatorsListeners(admin, console, files.operators, files.adminCertificate)
        if let instances { services.append(instances) }
        services.append(publicListener)
        services += [reload, drain]
        try await ServiceGroup(configuration: .init(services: services, logger: logger)).run()
    }

    /// The maximum number of requests that use no slot of a gateway: probes, queries caused by unsolicited
    /// messages, and fetches of keys.
    private static let requestsWithoutPlace = 256

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

    private func certificates(_ files: ReloadableParts) -> ConfiguredCertificates {
        ConfiguredCertificates(
            listener: files.certificate, adminListener: files.adminCertificate,
            identities: configuration.applePaySessions?.identities,
            processing: configuration.processingCertificates.certificates)
    }

    /// Returns the routes of the public listener.
    ///
    /// - Parameter apple: `nil` if Apple Pay on the web is not configured.
    private func routes(
        of relay: PaymentRelay, _ gateways: [any ConnectedGateway], _ apple: IdentityTransport?
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

    private func authentication(_ files: ReloadableParts) -> RequestAuthentication {
        if let access = files.access { return .clients(access.authenticator) }
        guard let orderTokens = development?.orderTokens else { return .none }
        return .clients(ReloadableValue(orderTokens.authenticator(remote: nil)), isRequired: false)
    }

    private func publicListener(
        _ router: RelayRouter, _ certificate: ListenerCertificate?, _ requests: WorkUnderWay,
        _ state: ListenerState, _ drain: DrainService, _ metrics: RelayMetrics,
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
        _ admin: AdminRoutes, _ console: Console, _ operators: ReloadableValue<Operators>,
        _ certificate: ListenerCertificate?
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

    private func allowOpenFiles() throws {
        let connections = configuration.limits.connections + configuration.limits.connectionsInTransit
        do throws(OpenFilesError) {
            try OpenFiles.allow(connections + configuration.requestsAtOnce + Self.requestsWithoutPlace + 256)
        } catch {
            throw ConfigurationError(errors: [
                SettingError(
                    name: Setting.httpConnectionsMax.name, source: nil, problem: "is too high: \(error)",
                    advice: "Raise the hard limit of open files, or lower it or the limits of requests to gateways.")
            ])
        }
    }

    private func openJournal(_ metrics: RelayMetrics) async throws -> SQLJournal {
        let journal = try await configuration.journal.open { [logger] record in
            metrics.observeUnreadableRecord()
            logger.critical(
                "journal record unreadable; its payment is set aside",
                metadata: ["merchant_reference": "\(record.merchantReference)", "column": "\(record.column)"])
        } observe: { operation, duration, error in
            metrics.observe(operation, duration, failed: error != nil)
        }
        for path in configuration.journal.filesOpenToOthers {
            logger.warning("a file of the journal is open to more than its owner", metadata: ["path": "\(path)"])
        }
        return journal
    }

    /// Logs the accounts that have open payments but are no longer configured.
    ///
    /// - Throws: ``ConfigurationError`` if an account with open payments has the name of another merchant's
    ///   account now. Even if the journal cannot be read here, no such payment is queried with the wrong
    ///   merchant, because ``Gateways`` sends no request about it.
    private func checkAccountsOfOpenPayments(_ relay: PaymentRelay) async throws(ConfigurationError) {
        let withoutAccount: [PaymentsWithoutAccount]
        do throws(JournalError) {
            withoutAccount = try await relay.openPaymentsWithoutAccount()
        } catch {
            return logger.error("open payments cannot be read", metadata: ["error": "\(error)"])
        }
        if let error = ConfigurationError(withoutAccount) { throw error }
        for open in withoutAccount {
            logger.warning(
                "the account of open payments is not configured: its gateway is not queried about them",
                metadata: ["account": "\(open.account)", "payments": "\(open.payments)"])
        }
    }

    /// Logs every setting that is allowed but not safe for production.
    private func warn(hasCertificate: Bool) {
        if let end = configuration.applePaySessions?.identities.inUse(at: Date()).notAfter,
            end.timeIntervalSinceNow < 30 * 86_400
        {
            logger.warning(
                "the merchant identity certificate expires soon, or has expired", metadata: ["end": "\(end)"])
        }
        if let end = configuration.processingCertificates.certificates.all.map(\.notAfter).max(),
            end.timeIntervalSinceNow < 30 * 86_400
        {
            logger.warning(
                "the last payment processing certificate expires soon, or has expired", metadata: ["end": "\(end)"])
        }
        if configuration.tokenVerifier == nil {
            logger.warning("token verification is off: tokens are relayed unchecked")
        }
        if let anchor = configuration.foreignTrustAnchor {
            logger.warning(
                "tokens of another root than Apple's are accepted in production",
                metadata: ["root": "\(anchor.commonName)"])
        }
        if configuration.access == nil {
            logger.warning("no authentication configured: listening on loopback only")
        } else if !hasCertificate, !IPAddress.isLoopback(host: configuration.http.host) {
            logger.warning(
                "no TLS on the public listener: terminate TLS in a proxy, or API keys and tokens are sent in clear text"
            )
        }
    }
}

extension RelayConfiguration {
    /// The maximum number of requests under way to all gateways together.
    var requestsAtOnce: Int { modules.map(\.requestsInFlight).reduce(0, +) }

    var policy: PaymentRelay.Policy {
        PaymentRelay.Policy(
            verifier: tokenVerifier, notFoundAfter: notFoundAfter, operationNotFoundAfter: operationNotFoundAfter,
            answerAfter: answerAfter, retention: retention, overdueAfter: overdueAfter,
            recordsEvents: events != nil, processingCertificates: processingCertificates.certificates,
            requestsAtOnce: Dictionary(uniqueKeysWithValues: modules.map { (type(of: $0).name, $0.requestsInFlight) }))
    }
}
