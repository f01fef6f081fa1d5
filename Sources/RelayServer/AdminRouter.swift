import ApplePaySession
import ApplePayToken
import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import OrderedJSON
import PaymentRelay

/// What operators call, on a listener of its own: is the process alive, can it take payments, and what lies ahead.
struct AdminRouter {
    let readiness: JournalReadiness
    let relay: PaymentRelay
    let fort: FortAvailability
    /// The public listener's.
    let listener: ListenerState
    let drain: DrainService
    let metrics: RelayMetrics
    /// On the public listener.
    let requests: RequestsUnderWay
    /// Nil where the merchant's backend is not told of events.
    let delivery: EventDelivery?
    /// The public listener's; nil where it speaks no TLS.
    var certificate: ListenerCertificate?
    /// Nil where there is no Apple Pay on the web.
    var merchantIdentity: MerchantIdentity?

    func make() -> Router<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self)
        router.add(middleware: ResponseHeadersMiddleware<BasicRequestContext>())
        router.add(middleware: ProblemMiddleware<BasicRequestContext>())
        // Who takes GET takes HEAD (RFC 9110, 9.1).
        for method in [HTTPRequest.Method.get, .head] {
            router.on("/live", method: method) { _, _ in live() }
            router.on("/ready", method: method) { _, _ in await ready() }
            router.on("/metrics", method: method) { _, _ in await scrape() }
        }
        return router
    }

    private func live() -> Response {
        let build = BuildInfo.current
        return Response(
            json: ["status": "live", "version": .string(build.version), "build": .string(build.configuration)])
    }

    /// Ready is a relay that listens, whose journal records durably now, and that is not about to stop. FORT's state is told and
    /// does not count: to take instances out would not bring it back.
    private func ready() async -> Response {
        let canRecord = await readiness.isReady()
        let isListening = listener.isListening
        let isDraining = drain.isDraining
        var json: JSONObject = [
            "status": isDraining ? "draining" : !isListening ? "starting" : canRecord ? "ready" : "not ready",
            "journal": canRecord ? "up" : "down",
            "fort": .string(fort.state.rawValue),
        ]
        json["certificate_days_left"] = relay.certificateDaysLeft.map {
            ["leaf": JSON($0.leaf), "intermediate": JSON($0.intermediate)]
        }
        return Response(
            json: .object(json), status: canRecord && isListening && !isDraining ? .ok : .serviceUnavailable)
    }

    private func scrape() async -> Response {
        var gauges = RelayGauges(
            certificateDaysLeft: relay.certificateDaysLeft, open: try? await relay.openSummary(),
            chainCacheUse: relay.chainCacheUse, requestsUnderWay: requests.count, moment: Date())
        gauges.listenerCertificateEnd = certificate?.notAfter
        gauges.merchantIdentityEnd = merchantIdentity?.notAfter
        if let delivery {
            gauges.events = try? await relay.eventSummary()
            gauges.deliveries = delivery.attempts
        }
        let text = PrometheusText(gauges.families + metrics.families).text
        return Response(
            status: .ok, headers: [.contentType: PrometheusText.mediaType],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
