import AccessControl
import Console
import FoundationEssentials
import GatewayModule
import HTTPListener
import HTTPTypes
import Logging
import Observability
import OutboundHTTP
import PaymentRelay
import PayrelayAPI
import PayrelayPrimitives
import PortmoneAPI
import RelayServer
import ServiceLifecycle

/// Portmone in the running service: the gateway with its circuit breaker and metrics, and its additions to the
/// server.
struct PortmoneConnection: ConnectedGateway {
    let gateway: any Gateway
    let recovery: any Service
    let services: [any Service]
    let pages = GatewayPages(gateway: PortmoneModule.name)
    private let module: PortmoneModule
    private let guarded: GuardedTransport
    private let watch: AvailabilityWatch
    private let logger: Logger

    /// - Parameters:
    ///   - transport: a transport without a circuit breaker.
    ///   - registry: the registry to which Portmone's metrics are added.
    init(_ module: PortmoneModule, transport: any GatewayTransport, registry: MetricsRegistry, logger: Logger) {
        let metrics = PortmoneMetrics(in: registry)
        let accounts = module.portmoneAccounts
        let watch = AvailabilityWatch(
            of: PortmoneModule.title, accounts: accounts.entries.map(\.name), logger: logger)
        let guarded = GuardedTransport(transport, limits: module.limits) { isReachable in
            watch.circuitBreakerChanged(isClosed: isReachable)
            metrics.circuitBreakerChanged(isClosed: isReachable)
            if isReachable {
                logger.notice("Portmone circuit breaker closed")
            } else {
                logger.error("Portmone circuit breaker open: nothing is sent")
            }
        }
        let clients = PortmoneClients(accounts: accounts, endpoint: module.address, transport: guarded) { exchange in
            metrics.observe(exchange)
            watch.observe(exchange, of: accounts)
        }
        let accountProbe = AccountProbe(watch) { name in
            guard let account = accounts.entry(named: name)?.account else { return }
            let client = PortmoneClient(account: account, endpoint: module.address, transport: guarded.probing) {
                metrics.observe($0)
                watch.observe($0, of: accounts, isProbe: true)
            }
            // The client's observer reports the result.
            _ = await client.send(ResultRequest.probe(), timeout: min(module.timeout, AccountProbe.timeout))
        }
        gateway = PortmoneGateway(
            clients: clients, timeout: module.timeout, closing: module.closing, unseenReturn: module.unseenReturn,
            whyUnverified: accountProbe.whyUnverified,
            alert: { alert in
                metrics.count(alert)
                logger.critical("Portmone's books differ", metadata: ["alert": "\(alert)"])
            })
        // This probe only needs an answer, whatever it says. So it may be sent for longer than the days in it are
        // current.
        let probe = OutboundRequest.json(
            ResultRequest.probe().body(for: accounts.entries[0].account), to: module.address.address(of: .result),
            timeout: module.timeout)
        recovery = CircuitBreakerProbe { await guarded.watch(with: probe) }
        services = [accountProbe]
        self.module = module
        self.watch = watch
        self.guarded = guarded
        self.logger = logger
    }

    func divideLimits(among instances: Int) { guarded.divideLimit(among: instances) }

    var availability: [AccountAvailability] { watch.all }

    func queryAccountsSoon() { watch.querySoon() }

    /// The route for Portmone's notifications.
    func routes(relay: PaymentRelay, bodyLimit: Int) -> [Route] {
        let receive = ReceiveNotification(
            receiver: HintReceiver(relay: relay, title: PortmoneModule.title), accounts: module.portmoneAccounts,
            sources: module.sources, logger: logger)
        return [
            Route(
                .post, "/v1/portmone/notifications", access: .gateway, bodyLimit: PortmoneNotification.sizeLimit,
                respond: receive.respond)
        ]
    }
}

/// `POST /v1/portmone/notifications`: receives Portmone's notifications, as JSON or as a form with the XML of
/// bills.
///
/// Notifications are not signed, so they are only hints: if a notification says something new, the relay queries
/// `result`. Nothing else changes.
struct ReceiveNotification: Sendable {
    let receiver: HintReceiver
    let accounts: PortmoneAccounts
    let sources: NotificationSources
    let logger: Logger

    func respond(to request: RelayRequest) async throws -> Answer {
        guard sources.allow(request.clientAddress) else {
            logger.warning(
                "notification refused",
                metadata: ["reason": "its address is not listed", "request_id": "\(request.identifier)"])
            throw Problem(.feedbackNotProven, "It changed nothing: its address is not listed.")
        }
        guard let format = request.head.headerFields[.contentType].flatMap(PortmoneNotification.Format.init) else {
            throw Problem(.unsupportedMediaType, "Send application/x-www-form-urlencoded or application/json.")
        }
        let notification: PortmoneNotification
        do throws(PortmoneNotificationError) {
            notification = try PortmoneNotification(reading: request.bytes, as: format)
        } catch {
            logger.warning(
                "notification refused", metadata: ["reason": "\(error)", "request_id": "\(request.identifier)"])
            throw Problem(.feedbackMalformed, "It changed nothing: \(error).")
        }
        for hint in GatewayHint.hints(in: notification, for: accounts) {
            let reception = try await receiver.receive(hint, kind: .notification, from: request.clientAddress)
            logger.info(
                "notification",
                metadata: [
                    "merchant_reference": "\(hint.merchantReference)", "result": "\(reception.rawValue)",
                    "account": "\(hint.account)", "request_id": "\(request.identifier)",
                ])
        }
        let (contentType, body) = notification.acknowledgement(unixTime: Int(Date().timeIntervalSince1970))
        return Answer(head: HTTPResponse(status: .ok, headerFields: [.contentType: contentType]), body: body)
    }
}

extension AvailabilityWatch {
    /// - Parameter isProbe: whether the request was sent only to find out how Portmone answers.
    func observe(_ exchange: PortmoneExchange, of accounts: PortmoneAccounts, isProbe: Bool = false) {
        guard let entry = accounts.entry(identifiedBy: exchange.payeeID) else { return }
        observe(
            entry.name, exchange.availability ?? (isProbe ? .notAnswering : nil), isVerified: exchange.isVerified,
            failure: exchange.failure)
    }
}

extension PortmoneExchange {
    /// Whether the answer proves that Portmone accepted the login, the password and the payee. Portmone does not
    /// sign its answers, but this one came over verified TLS. Portmone answers with a list of bills, even an
    /// empty list, only if it has authenticated the request. An error without a bill may be about the
    /// credentials.
    fileprivate var isVerified: Bool {
        if case .answered(.success(let answer)) = outcome, case .entries = answer.content { true } else { false }
    }

    /// The reason why the answer is missing or not verified, with the settings that are the likely cause;
    /// `nil` if the answer is verified.
    fileprivate var failure: String? {
        switch outcome {
        case .notSent(let reason): "Portmone could not be reached: \(reason)"
        case .unknown(let reason): "Portmone did not answer: \(reason)"
        case .answered(.failure(let error)):
            "Portmone's answer proves nothing: \(error). Look at portmone.endpoint, and at proxies before Portmone"
        case .answered(.success(let answer)):
            switch answer.content {
            case .entries: nil
            case .nothing: "Portmone answered with nothing"
            case .failure(let failure, _):
                "Portmone answered \(failure). Compare login, password and payee_id of the account with what Portmone gave you"
            }
        }
    }

    /// The way in which Portmone answered; `nil` if nothing was sent.
    fileprivate var availability: AccountAvailability.State? {
        switch outcome {
        case .answered(.success(let answer)):
            if case .failure = answer.content, method == .result { .refusing } else { .answering }
        case .notSent: nil
        case .unknown: .notAnswering
        // A proxy in front of Portmone answered.
        case .answered(.failure(.httpStatus(500...))): .notAnswering
        case .answered(.failure): .unproven
        }
    }
}
