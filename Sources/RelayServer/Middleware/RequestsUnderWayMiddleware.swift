import HTTPListener
import Hummingbird

/// Counts requests while they are answered and carried on, so that a stop knows when nothing is under way any more.
struct RequestsUnderWayMiddleware: RouterMiddleware {
    let requests: RequestsUnderWay

    func handle(
        _ request: Request, context: RelayRequestContext,
        next: (Request, RelayRequestContext) async throws -> Response
    ) async throws -> Response {
        requests.enter()
        defer { context.carriedOn.whenEnded { [requests] in requests.leave() } }
        return try await next(request, context)
    }
}
