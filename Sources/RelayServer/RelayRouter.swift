import HTTPTypes
import Hummingbird

/// The public routes, as a table: what is not in it is 404, another method on a path that is in it 405.
struct RelayRouter {
    struct Route {
        typealias Respond = @Sendable (Request, RelayRequestContext) async throws -> Response

        let method: HTTPRequest.Method
        let path: RouterPath
        let admits: Admission
        let respond: Respond
    }

    static func make(
        _ routes: [Route], gate: AccessGate, proxies: TrustedProxies = TrustedProxies(),
        limits: ListenerLimits = ListenerLimits(), requests: RequestsUnderWay = RequestsUnderWay(),
        metrics: RelayMetrics = RelayMetrics(), scheme: String = "http"
    ) -> Router<RelayRequestContext> {
        let router = Router(context: RelayRequestContext.self)
        router.add(middleware: RequestMetricsMiddleware(metrics: metrics, scheme: scheme))
        router.add(middleware: RequestsUnderWayMiddleware(requests: requests))
        router.add(middleware: RequestIdentifierMiddleware())
        router.add(middleware: TraceMiddleware())
        router.add(middleware: CallerAddressMiddleware(proxies: proxies))
        router.add(middleware: RequestLogMiddleware())
        router.add(middleware: ResponseHeadersMiddleware<RelayRequestContext>())
        router.add(middleware: ProblemMiddleware<RelayRequestContext>())
        router.add(middleware: BusyMiddleware(requests: requests, limit: limits.requestsInFlight))
        if let credentials = gate.credentials {
            router.add(middleware: AuthenticationMiddleware(credentials: credentials))
        }
        if let rate = limits.clientRequestsPerSecond { router.add(middleware: RateMiddleware(perSecond: rate)) }
        for (path, taken) in Dictionary(grouping: routes, by: \.path.description) {
            var allowed: [HTTPRequest.Method] = []
            for route in taken {
                // Who takes GET takes HEAD (RFC 9110, 9.1).
                for method in route.method == .get ? [.get, .head] : [route.method] {
                    router.on(route.path, method: method) { request, context -> Response in
                        var context = context
                        context.caller = try gate.admit(to: route.admits, context: context)
                        return try await route.respond(request, context)
                    }
                    allowed.append(method)
                }
            }
            for method in Self.methods where !allowed.contains(method) {
                router.on(RouterPath(path), method: method) { [allowed] _, _ -> Response in
                    throw Problem.methodNotAllowed(allowed.map(\.rawValue))
                }
            }
        }
        return router
    }

    /// Every method that a standard gives a meaning to on a path (RFC 9110, RFC 5789), and QUERY.
    private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"]
        .compactMap { HTTPRequest.Method($0) }
}
