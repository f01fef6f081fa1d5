import AccessControl
import ApplePaySession
import FortAPI
import FortProcessor
import FoundationEssentials
import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
import OutboundHTTP
import PaymentRelay
public import ServiceLifecycle

/// The service, wired: configuration in, listeners out.
///
/// This room is HTTP: what callers send becomes an order and a token, what the core answers becomes a response, and every
/// error one shape of problem details. One endpoint is one file. Nothing is decided here about money.
public struct RelayService: Service {
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
        let journal = try await configuration.journal.open()
        let outbound = OutboundClient()
        defer { outbound.shutdown() }
        // A client of its own: FORT is not shown the merchant's certificate.
        let apple = configuration.applePaySessions.map { OutboundClient($0.outbound) }
        defer { apple?.shutdown() }
        let clients = FortClients(
            accounts: configuration.fortAccounts, endpoint: configuration.fortEndpoint, transport: outbound)
        let processor = FortProcessor(clients: clients, timeout: configuration.fortTimeout)
        let relay = PaymentRelay(
            policy: PaymentRelay.Policy(
                verifier: configuration.tokenVerifier, notFoundAfter: configuration.notFoundAfter,
                notShownAfter: configuration.notShownAfter,
                processorTimeout: configuration.fortTimeout, retention: configuration.retention,
                overdueAfter: configuration.overdueAfter),
            journal: journal, processor: processor, logger: logger)

        let authenticator = configuration.access?.authenticator(fetchingWith: outbound, logger: logger)
        let certificate = try configuration.tls.map { try ListenerCertificate($0) }
        let requests = RequestsUnderWay()
        var services: [any Service] = [
            ReconcilerService(relay: relay, logger: logger),
            try application(AdminRouter(journal: journal, relay: relay).make(), at: configuration.admin),
            try application(
                RelayRouter.make(
                    routes(relay, processor, clients, apple), gate: AccessGate(authenticator: authenticator),
                    proxies: configuration.trustedProxies, requests: requests),
                at: configuration.http, certificate: certificate, requests: requests, onListening: onListening),
        ]
        if let end = configuration.applePaySessions?.identity.notAfter, end.timeIntervalSinceNow < 30 * 86_400 {
            logger.warning("the merchant identity certificate ends soon, or has ended", metadata: ["end": "\(end)"])
        }
        if configuration.tokenVerifier == nil {
            logger.warning("token verification is off: tokens are relayed unchecked")
        }
        if configuration.access == nil {
            logger.warning("callers are not authenticated: the relay listens on loopback only")
        } else if configuration.tls == nil, !RelayConfiguration.isLoopback(configuration.http.host) {
            logger.warning("keys and tokens come in clear text unless a proxy before the relay speaks TLS")
        }
        if let certificate { services.append(CertificateReloadService(certificate: certificate, logger: logger)) }
        try await ServiceGroup(configuration: .init(services: services, logger: logger)).run()
    }

    func routes(
        _ relay: PaymentRelay, _ processor: any Processor, _ clients: FortClients, _ apple: OutboundClient?
    ) -> [RelayRouter.Route] {
        let pay = PayEndpoint(relay: relay, processor: processor, bodyLimit: configuration.bodyLimit)
        let payment = PaymentEndpoint(relay: relay)
        let verify = TokenVerifyEndpoint(relay: relay, bodyLimit: configuration.bodyLimit)
        let feedback = FeedbackEndpoint(relay: relay, accounts: configuration.fortAccounts, logger: logger)
        let sdkToken = SdkTokenEndpoint(
            clients: clients, timeout: configuration.fortTimeout, bodyLimit: configuration.bodyLimit)
        let sessionClient = apple.flatMap { apple in
            configuration.applePaySessions.map { SessionClient($0, transport: apple) }
        }
        let session = ApplePaySessionEndpoint(client: sessionClient, bodyLimit: configuration.bodyLimit)
        let domainFile = DomainAssociationEndpoint(file: configuration.applePayDomainFile)
        func maintain(_ command: MaintenanceCommand) -> RelayRouter.Route.Respond {
            MaintenanceEndpoint(command: command, relay: relay, bodyLimit: configuration.bodyLimit).respond
        }
        return [
            .init(
                method: .post, path: "/v1/payments", admits: .callersAndOrderTokens(with: .paymentsCreate),
                respond: pay.respond),
            .init(
                method: .get, path: "/v1/payments/:merchant_reference",
                admits: .callersAndOrderTokens(with: .paymentsRead), respond: payment.show),
            .init(
                method: .post, path: "/v1/payments/:merchant_reference/sync", admits: .callers(with: .paymentsManage),
                respond: payment.sync),
            .init(
                method: .post, path: "/v1/payments/:merchant_reference/capture",
                admits: .callers(with: .paymentsManage), respond: maintain(.capture)),
            .init(
                method: .post, path: "/v1/payments/:merchant_reference/void", admits: .callers(with: .paymentsManage),
                respond: maintain(.voidAuthorization)),
            .init(
                method: .post, path: "/v1/payments/:merchant_reference/refund", admits: .callers(with: .paymentsManage),
                respond: maintain(.refund)),
            .init(
                method: .post, path: "/v1/sdk-tokens", admits: .callers(with: .sdkTokensCreate),
                respond: sdkToken.respond),
            .init(
                method: .post, path: "/v1/apple-pay/sessions", admits: .callers(with: .sessionsCreate),
                respond: session.respond),
            .init(method: .post, path: "/v1/feedback/direct", admits: .anyone, respond: feedback.respond),
            .init(method: .post, path: "/v1/feedback/notification", admits: .anyone, respond: feedback.respond),
            .init(
                method: .post, path: "/v1/tokens/verify", admits: .callers(with: .tokensVerify), respond: verify.respond
            ),
            .init(
                method: .get, path: "/.well-known/apple-developer-merchantid-domain-association", admits: .anyone,
                respond: domainFile.respond),
            .init(method: .get, path: "/openapi.yaml", admits: .anyone, respond: OpenAPIEndpoint().respond),
        ]
    }

    private func application(
        _ router: Router<some RequestContext & InitializableFromSource<ApplicationRequestContextSource>>,
        at listener: RelayConfiguration.Listener, certificate: ListenerCertificate? = nil,
        requests: RequestsUnderWay? = nil, onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) throws -> some Service {
        let http1 = HTTP1Channel.Configuration(
            additionalChannelHandlers: [ContinueHandler()], idleTimeout: .seconds(60))
        let application = Application(
            router: router,
            server: try certificate.map { try .tls($0, http1: http1) } ?? .http1(configuration: http1),
            configuration: .init(address: .hostname(listener.host, port: listener.port), backlog: 1_024),
            onServerRunning: { await onListening($0.localAddress?.port ?? listener.port) }, logger: logger)
        // A charge that is under way ends by FORT's timeout; what comes on top is for its journal entry and its answer.
        return ListenerService(
            listener: application, address: listener, patience: configuration.fortTimeout + .seconds(5),
            requests: requests)
    }
}
