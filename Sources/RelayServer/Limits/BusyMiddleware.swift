import Hummingbird

/// Refuses requests beyond those that may be answered at once, before their bodies are read. A request counts until it is
/// answered, also when its caller has gone: what was begun for it is carried through.
struct BusyMiddleware: RouterMiddleware {
    /// This one is among them.
    let requests: RequestsUnderWay
    let limit: Int

    func handle(
        _ request: Request, context: RelayRequestContext,
        next: (Request, RelayRequestContext) async throws -> Response
    ) async throws -> Response {
        guard requests.count <= limit else { throw Problem.tooManyInFlight }
        return try await next(request, context)
    }
}
