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

/// The routes of the admin listener beside the console: liveness, readiness and metrics, and the API of operators.
public struct AdminRoutes: Sendable {
    let readiness: JournalProbe
    let relay: PaymentRelay
    let availability: @Sendable () -> [GatewayAvailability]
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

    /// The probes and the metrics. What probes has no key, and a web page under another name must not read them.
    public var probes: [Route] {
        [
            Route(.get, "/live", access: .ownPage) { _ in live() },
            Route(.get, "/ready", access: .ownPage) { _ in await ready() },
            Route(.get, "/metrics", access: .ownPage) { _ in await scrape() },
        ]
    }

    /// The API of operators.
    public var operators: [Route] {
        [
            Route(
                .post, "/v1/resolutions", access: .operators(.resolvePayment), bodyLimit: CreateResolution.bodyLimit,
                respond: CreateResolution(relay: relay).respond)
        ]
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
        return Answer(
            head: HTTPResponse(status: .ok, headerFields: [.contentType: PrometheusText.mediaType]),
            buffer: ByteBuffer(string: text))
    }
}

/// The relay's state, for operators.
public struct OperatorsHealth: Sendable {
    /// Whether the journal records durably now.
    public let canRecord: Bool
    /// How the database could still lose what it recorded.
    public let durabilityGaps: [DurabilityGap]
    /// The gateways' availability for each account.
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
