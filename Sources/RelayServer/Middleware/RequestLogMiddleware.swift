import Hummingbird
import Logging
import PaymentRelay
import Primitives

/// One line per request: what was asked by its route, what was answered, how long it took. No path as sent, no header, no
/// body: any of them may hold what does not belong in a log.
struct RequestLogMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: RelayRequestContext,
        next: (Request, RelayRequestContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await next(request, context)
        context.logger.info(
            "request",
            metadata: [
                "method": "\(request.method.rawValue)", "route": "\(context.endpointPath ?? RequestLabels.noRoute)",
                "status": "\(response.status.code)", "ms": "\(start.duration(to: .now).milliseconds)",
            ])
        return response
    }
}
