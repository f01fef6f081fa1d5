import Hummingbird

/// Refuses requests beyond those that may be answered at once, before their bodies are read. A request counts until it is
/// answered, also when its caller has gone: what was begun for it is carried through.
///
/// FORT's feedback has places of its own, an eighth as many. Anybody can take one for as long as a body may take, and must not
/// take them from who has authenticated; FORT sends again what it was refused.
struct BusyMiddleware: RouterMiddleware {
    /// This one is among them.
    let requests: RequestsUnderWay
    let limit: Int
    private let feedback = RequestsUnderWay()

    init(requests: RequestsUnderWay, limit: Int) {
        self.requests = requests
        self.limit = limit
    }

    func handle(
        _ request: Request, context: RelayRequestContext,
        next: (Request, RelayRequestContext) async throws -> Response
    ) async throws -> Response {
        guard request.isFeedback else {
            guard requests.count - feedback.count <= limit else { throw Problem.tooManyInFlight }
            return try await next(request, context)
        }
        feedback.enter()
        defer { feedback.leave() }
        guard feedback.count <= max(1, limit / 8) else { throw Problem.tooManyInFlight }
        return try await next(request, context)
    }
}
