import HTTPTypes
import Hummingbird
import Observability

/// Times each request under its route, not under the path as it was sent: clients choose paths.
struct RequestMetricsMiddleware: RouterMiddleware {
    let metrics: RelayMetrics
    /// `http` or `https`.
    let scheme: String

    func handle(
        _ request: Request, context: RelayRequestContext,
        next: (Request, RelayRequestContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await next(request, context)
        metrics.requests.record(
            start.duration(to: .now),
            RequestLabels(
                method: request.method, status: Int(response.status.code), route: context.endpointPath,
                scheme: scheme))
        return response
    }
}
