public import AccessControl
import ApplePaySession
import ApplePayToken
import FoundationEssentials
public import HTTPListener
import HTTPTypes
public import Hummingbird
import NIOCore
import Observability
public import PaymentRelay
public import PayrelayPrimitives
public import UnderWay

/// The router of the admin listener: liveness, readiness and metrics, and the routes of operators.
public struct AdminRouter: Sendable {
    let readiness: JournalProbe
    let relay: PaymentRelay
    let availability: @Sendable () -> [ProcessorAvailability]
    /// The public listener's.
    let listener: ListenerState
    let drain: DrainService
    let metrics: RelayMetrics
    /// On the public listener.
    let requests: WorkUnderWay
    /// Nil if no events are sent to the merchant's backend.
    let delivery: EventDelivery?
    let certificates: ConfiguredCertificates
    let reloads: ReloadStatus
    let activity: PaymentActivity?
    /// How many instances are alive; nil where the journal can have one alone.
    let instances: @Sendable () -> Int?

    public init(
        readiness: JournalProbe, relay: PaymentRelay,
        availability: @escaping @Sendable () -> [ProcessorAvailability], listener: ListenerState,
        drain: DrainService, metrics: RelayMetrics, requests: WorkUnderWay, delivery: EventDelivery?,
        certificates: ConfiguredCertificates = ConfiguredCertificates(), reloads: ReloadStatus = ReloadStatus(),
        activity: PaymentActivity? = nil, instances: @escaping @Sendable () -> Int? = { nil }
    ) {
        self.readiness = readiness
        self.relay = relay
        self.availability = availability
        self.listener = listener
        self.drain = drain
        self.metrics = metrics
        self.requests = requests
        self.delivery = delivery
        self.certificates = certificates
        self.reloads = reloads
        self.activity = activity
        self.instances = instances
    }

    /// - Parameters:
    ///   - hosts: the names under which it may be asked.
    ///   - isTLS: whether the listener speaks TLS.
    ///   - pages: for operators; nil if absent.
    ///   - operators: who may use the routes of operators; `nil` for a listener without these routes.
    public func responder(
        hosts: AllowedHosts = AllowedHosts(), isTLS: Bool = false,
        pages: (any OperatorsPages)? = nil, operators: ReloadableOperators? = nil
    ) -> ExactPathResponder<RouterResponder<AdminRequestContext>> {
        let router = Router(context: AdminRequestContext.self)
        router.add(middleware: ResponseHeadersMiddleware<AdminRequestContext>())
        router.add(middleware: ProblemMiddleware<AdminRequestContext>(pages: pages))
        router.add(middleware: KnownMethodMiddleware<AdminRequestContext>())
        router.add(
            middleware: CrossSiteMiddleware(
                CrossSiteRule(hosts: hosts, isTLS: isTLS), pathsOfAnyHost: pages?.publicPaths ?? []
            ) { throw Problem($0) })
        // A resource that takes GET takes HEAD (RFC 9110, 9.1).
        for method in KnownMethods.all {
            let isTaken = method == .get || method == .head
            for (path, respond) in [("/live", live), ("/ready", ready), ("/metrics", scrape)] {
                router.on(RouterPath(path), method: method) { _, _ -> Response in
                    guard isTaken else { throw Problem.methodNotAllowed(["GET", "HEAD"]) }
                    return await respond()
                }
            }
        }
        if let operators {
            let resolution = CreateResolution(relay: relay, operators: operators)
            for method in KnownMethods.all {
                router.on(RouterPath(CreateResolution.path), method: method) { request, context in
                    guard method == .post else { throw Problem.methodNotAllowed(["POST"]) }
                    return try await resolution.respond(to: request, context)
                }
            }
        }
        pages?.addRoutes(to: router)
        return ExactPathResponder(router.buildResponder())
    }

    /// Returns the relay's state, for the pages of operators.
    public func health() async -> OperatorsHealth {
        let summary = try? await relay.summary()
        return OperatorsHealth(
            canRecord: await readiness.isReady(), durabilityGaps: readiness.gaps,
            accounts: availability().flatMap(\.accounts),
            certificates: certificates.ends(lastSeen: await relay.lastSeenOfCertificates()),
            tokenCertificateDaysLeft: relay.certificateDaysLeft.map { min($0.leaf, $0.intermediate) },
            open: summary?.payments, events: delivery == nil ? nil : summary?.events,
            requestsUnderWay: requests.count, minutes: activity?.minutes ?? [])
    }

    @Sendable private func live() async -> Response {
        let build = BuildInfo.current
        return Response(
            WholeResponse(
                json: ["status": "live", "version": .string(build.version), "build": .string(build.configuration)]))
    }

    @Sendable private func ready() async -> Response {
        let state = Readiness(
            isListening: listener.isListening, isDraining: drain.isDraining, canRecord: await readiness.isReady())
        var json: JSONObject = ["status": .string(state.word), "journal": state.canRecord ? "up" : "down"]
        let gaps = readiness.gaps
        if !gaps.isEmpty { json["durability_gaps"] = .array(gaps.map { .string($0.rawValue) }) }
        for processor in availability() { json[processor.name] = .array(processor.accounts.map(\.json)) }
        json["certificate_days_left"] = relay.certificateDaysLeft.map {
            ["leaf": JSON($0.leaf), "intermediate": JSON($0.intermediate)]
        }
        let ends = certificates.ends(lastSeen: relay.knownLastSeenOfCertificates)
        if !ends.isEmpty { json["certificates"] = .array(ends.map(\.json)) }
        return Response(
            WholeResponse(json: .object(json), status: state.isReady ? .ok : .serviceUnavailable))
    }

    @Sendable private func scrape() async -> Response {
        async let isRecording = readiness.isReady()
        let summary = try? await relay.summary()
        var gauges = ScrapedGauges(
            certificateDaysLeft: relay.certificateDaysLeft, open: summary?.payments, hints: summary?.hints,
            chainCacheUse: relay.chainCacheUse, requestsUnderWay: requests.count,
            logLinesDropped: LogQueue.standardError.dropped,
            moment: Date())
        gauges.listenerCertificateEnd = certificates.listener?.notAfter
        gauges.adminCertificateEnd = certificates.adminListener?.notAfter
        gauges.merchantIdentityEnd = certificates.identities?.inUse(at: gauges.moment).notAfter
        gauges.certificateEnds = certificates.ends(lastSeen: await relay.lastSeenOfCertificates())
        gauges.reloads = reloads.all
        gauges.instances = instances()
        // A journal that cannot record says so by its errors.
        if await isRecording { gauges.durabilityGaps = readiness.gaps }
        if let delivery {
            gauges.events = summary?.events
            gauges.deliveries = delivery.attempts
        }
        let text = PrometheusText(
            gauges.families + availability().flatMap(\.families)
                + ProcessMetrics.families + metrics.registry.families
        ).text
        return Response(
            status: .ok, headers: [.contentType: PrometheusText.mediaType],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}

/// The relay's state, for operators.
public struct OperatorsHealth: Sendable {
    /// Whether the journal records durably now.
    public let canRecord: Bool
    /// How the database could still lose what it recorded.
    public let durabilityGaps: [DurabilityGap]
    /// The processors' availability for each account.
    public let accounts: [AccountAvailability]
    /// Of those that are configured.
    public let certificates: [CertificateEnd]
    /// Of the certificates of the newest valid token; nil until there was one.
    public let tokenCertificateDaysLeft: Int?
    /// Nil if the journal could not be read.
    public let open: OpenSummary?
    /// Nil if no events are sent, or the journal could not be read.
    public let events: EventSummary?
    /// On the public listener.
    public let requestsUnderWay: Int
    /// The last hours, the oldest minute first.
    public let minutes: [PaymentActivity.Minute]
}

/// The request context of the admin listener.
public struct AdminRequestContext: AddressedRequestContext {
    public var coreContext: CoreRequestContextStorage
    private let channel: any Channel

    public var localAddress: String? { channel.localAddress?.ipAddress }
    public var peerAddress: String? { channel.remoteAddress?.ipAddress }

    public init(source: ApplicationRequestContextSource) {
        let logger = RequestLog.logger(source.logger, for: RequestID().description)
        coreContext = .init(source: ApplicationRequestContextSource(channel: source.channel, logger: logger))
        channel = source.channel
    }
}
