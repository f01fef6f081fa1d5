import ApplePaySession
import ApplePayToken
import FoundationEssentials
public import HTTPListener
import HTTPTypes
import NIOCore
import Observability
public import PaymentRelay
public import PayrelayPrimitives
public import UnderWay

/// The routes of the admin listener, apart from the console: liveness, readiness and metrics, and the API for
/// operators.
public struct AdminRoutes: Sendable {
    let readiness: JournalProbe
    let relay: PaymentRelay
    let availability: @Sendable () -> [GatewayAvailability]
    /// The state of the public listener.
    let listener: ListenerState
    let drain: DrainService
    let metrics: RelayMetrics
    /// The requests under way on the public listener.
    let requests: WorkUnderWay
    /// `nil` if no events are sent to the merchant's backend.
    let delivery: EventDelivery?
    let certificates: ConfiguredCertificates
    let reloads: ReloadStatus
    let activity: PaymentActivity?
    /// Returns the number of live instances; `nil` if the journal allows only one instance.
    let instances: @Sendable () -> Int?

    public init(
        readiness: JournalProbe, relay: PaymentRelay,
        availability: @escaping @Sendable () -> [GatewayAvailability], listener: ListenerState,
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

    /// The probes and the metrics. Probes have no key, so a web page with a foreign host name must not be able to
    /// read them.
    public var probes: [Route] {
        [
            Route(.get, "/live", access: .ownPage) { _ in live() },
            Route(.get, "/ready", access: .ownPage) { _ in await ready() },
            Route(.get, "/metrics", access: .ownPage) { _ in await scrape() },
        ]
    }

    /// The API for operators.
    public var operators: [Route] {
        [
            Route(
                .post, "/v1/resolutions", access: .operators(.resolvePayment), bodyLimit: CreateResolution.bodyLimit,
                respond: CreateResolution(relay: relay).respond)
        ]
    }

    /// Returns the relay's state, for the operators' pages.
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

    private func live() -> Answer {
        let build = BuildInfo.current
        return Answer(
            json: ["status": "live", "version": .string(build.version), "build": .string(build.configuration)])
    }

    private func ready() async -> Answer {
        let state = Readiness(
            isListening: listener.isListening, isDraining: drain.isDraining, canRecord: await readiness.isReady())
        var json: JSONObject = ["status": .string(state.word), "journal": state.canRecord ? "up" : "down"]
        let gaps = readiness.gaps
        if !gaps.isEmpty { json["durability_gaps"] = .array(gaps.map { .string($0.rawValue) }) }
        for gateway in availability() { json[gateway.name] = .array(gateway.accounts.map(\.json)) }
        json["certificate_days_left"] = relay.certificateDaysLeft.map {
            ["leaf": JSON($0.leaf), "intermediate": JSON($0.intermediate)]
        }
        let ends = certificates.ends(lastSeen: relay.knownLastSeenOfCertificates)
        if !ends.isEmpty { json["certificates"] = .array(ends.map(\.json)) }
        return Answer(json: .object(json), status: state.isReady ? .ok : .serviceUnavailable)
    }

    private func scrape() async -> Answer {
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
        // If the journal cannot record, the errors report that.
        if await isRecording { gauges.durabilityGaps = readiness.gaps }
        if let delivery {
            gauges.events = summary?.events
            gauges.deliveries = delivery.attempts
        }
        let text = PrometheusText(
            gauges.families + availability().flatMap(\.families)
                + ProcessMetrics.families + metrics.registry.families
        ).text
        return Answer(
            head: HTTPResponse(status: .ok, headerFields: [.contentType: PrometheusText.mediaType]),
            buffer: ByteBuffer(string: text))
    }
}

/// The relay's state, for operators.
public struct OperatorsHealth: Sendable {
    /// Whether the journal can record durably now.
    public let canRecord: Bool
    /// The ways in which the database could still lose what it recorded.
    public let durabilityGaps: [DurabilityGap]
    /// The gateways' availability for each account.
    public let accounts: [AccountAvailability]
    /// The certificates that are configured.
    public let certificates: [CertificateEnd]
    /// The days until a certificate of the newest valid token expires; `nil` until there was such a token.
    public let tokenCertificateDaysLeft: Int?
    /// `nil` if the journal could not be read.
    public let open: OpenSummary?
    /// `nil` if no events are sent, or if the journal could not be read.
    public let events: EventSummary?
    /// The number of requests under way on the public listener.
    public let requestsUnderWay: Int
    /// The activity of the last hours, the oldest minute first.
    public let minutes: [PaymentActivity.Minute]
}
