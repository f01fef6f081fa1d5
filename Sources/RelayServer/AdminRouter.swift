import ApplePayToken
import FoundationEssentials
import HTTPTypes
import Hummingbird
import OrderedJSON
import PaymentRelay

/// What operators call, on a listener of its own: is the process alive, can it take payments, and what lies ahead.
struct AdminRouter {
    let journal: any Journal
    let relay: PaymentRelay
    /// Nil where the merchant's backend is not told of events.
    let delivery: EventDelivery?

    func make() -> Router<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self)
        router.add(middleware: ResponseHeadersMiddleware<BasicRequestContext>())
        router.add(middleware: ProblemMiddleware<BasicRequestContext>())
        router.get("/live") { _, _ in Response(json: ["status": "live"]) }
        router.get("/ready") { _, _ in await ready() }
        router.get("/metrics") { _, _ in
            let open = try? await relay.openSummary()
            var metrics = MetricsText(certificateDaysLeft: relay.certificateDaysLeft, open: open, at: Date())
            if let delivery {
                metrics.add(await (try? relay.eventSummary()), attempts: delivery.attempts, at: Date())
            }
            return Response(metrics: metrics.text)
        }
        return router
    }

    /// Ready is who can record: the journal is read. FORT being away does not count, because asking others to take the
    /// traffic would not bring it back.
    private func ready() async -> Response {
        do {
            _ = try await journal.openPayments(limit: 1)
            var json: JSONObject = ["status": "ready", "journal": "up"]
            json["certificate_days_left"] = relay.certificateDaysLeft.map {
                ["leaf": JSON($0.leaf), "intermediate": JSON($0.intermediate)]
            }
            return Response(json: .object(json))
        } catch {
            return Response(json: ["status": "not ready", "journal": "down"], status: .serviceUnavailable)
        }
    }
}
