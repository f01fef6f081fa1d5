import Hummingbird

/// Counts requests while they are answered, so that a stop knows when nobody waits any more.
struct RequestsUnderWayMiddleware: RouterMiddleware {
    let requests: RequestsUnderWay

    func handle(
        _ request: Request, context: RelayRequestContext,
        next: (Request, RelayRequestContext) async throws -> Response
    ) async throws -> Response {
        requests.enter()
        defer { requests.leave() }
        return try await next(request, context)
    }
}
