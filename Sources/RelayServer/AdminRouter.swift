import HTTPTypes
import Hummingbird
import OrderedJSON
import PaymentRelay

/// What operators call, on a listener of its own: is the process alive, and can it take payments.
struct AdminRouter {
    let journal: any Journal

    func make() -> Router<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self)
        router.add(middleware: ResponseHeadersMiddleware<BasicRequestContext>())
        router.add(middleware: ProblemMiddleware<BasicRequestContext>())
        router.get("/live") { _, _ in Response(json: ["status": "live"]) }
        router.get("/ready") { _, _ in await ready() }
        return router
    }

    /// Ready is who can record: the journal is read. FORT being away does not count, because asking others to take the
    /// traffic would not bring it back.
    private func ready() async -> Response {
        do {
            _ = try await journal.openPayments(limit: 1)
            return Response(json: ["status": "ready", "journal": "up"])
        } catch {
            return Response(json: ["status": "not ready", "journal": "down"], status: .serviceUnavailable)
        }
    }
}
