import HTTPGuard
import HTTPTypes
import Hummingbird

/// The public routes, as a table: what is not in it is 404, another method on a path that is in it 405.
struct RelayRouter {
    struct Route {
        typealias Respond = @Sendable (Request, RelayRequestContext) async throws -> Response

        let method: HTTPRequest.Method
        let path: RouterPath
        let access: RouteAccess
        /// The longest body, in bytes; nil for a route that looks at none. The whole body is there before the route responds.
        var bodyLimit: Int?
        let respond: Respond
    }

    /// The places of requests that are being answered. FORT's feedback has its own, an eighth as many: nobody else's requests take
    /// them, and it takes none from others.
    private struct Places {
        let requests: RequestPlaces
        let feedback: RequestPlaces

        init(limit: Int) {
            requests = RequestPlaces(limit: limit)
            feedback = RequestPlaces(limit: max(1, limit / 8))
        }
    }

    static func make(
        _ routes: [Route], gate: AccessGate, proxies: TrustedProxies = TrustedProxies(),
        limits: ListenerLimits = ListenerLimits(), requests: RequestsUnderWay = RequestsUnderWay(),
        metrics: RelayMetrics = RelayMetrics(), scheme: String = "http", hosts: AllowedHosts = .any
    ) -> ExactPathResponder<RouterResponder<RelayRequestContext>> {
        let router = Router(context: RelayRequestContext.self)
        router.add(middleware: RequestMetricsMiddleware(metrics: metrics, scheme: scheme))
        router.add(middleware: RequestsUnderWayMiddleware(requests: requests))
        router.add(middleware: RequestIdentifierMiddleware())
        router.add(middleware: TraceMiddleware())
        router.add(middleware: ClientAddressMiddleware(proxies: proxies))
        router.add(middleware: RequestLogMiddleware())
        router.add(middleware: ResponseHeadersMiddleware<RelayRequestContext>())
        router.add(middleware: ProblemMiddleware<RelayRequestContext>())
        router.add(middleware: KnownMethodMiddleware<RelayRequestContext>())
        router.add(
            middleware: RequestSourceMiddleware(
                RequestSourceRule(hosts: hosts, isTLS: scheme == "https"),
                routesOfAnyHost: Set(routes.filter { $0.access == .anyone }.map(\.path.description))
            ) { throw Problem($0) })
        if let authenticator = gate.authenticator {
            router.add(middleware: AuthenticationMiddleware(authenticator: authenticator))
        }
        if let rate = limits.clientRequestsPerSecond { router.add(middleware: RateMiddleware(perSecond: rate)) }
        let places = Places(limit: limits.requestsInFlight)
        for (path, taken) in Dictionary(grouping: routes, by: \.path.description) {
            var allowed: [HTTPRequest.Method] = []
            for route in taken {
                // Who takes GET takes HEAD (RFC 9110, 9.1).
                for method in route.method == .get ? [.get, .head] : [route.method] {
                    router.on(route.path, method: method) { request, context -> Response in
                        var context = context
                        context.client = try gate.admit(to: route.access, context: context)
                        return try await respond(to: request, on: route, context, gate, places)
                    }
                    allowed.append(method)
                }
            }
            for method in KnownMethods.all where !allowed.contains(method) {
                router.on(RouterPath(path), method: method) { [allowed] _, _ -> Response in
                    throw Problem.methodNotAllowed(allowed.map(\.rawValue))
                }
            }
        }
        return ExactPathResponder(router.buildResponder())
    }

    /// Half of a body holds no place: one is taken once the body is there. Where there is none already, the body is not read.
    private static func respond(
        to request: Request, on route: Route, _ context: RelayRequestContext, _ gate: AccessGate, _ places: Places
    ) async throws -> Response {
        let places = context.isFeedback ? places.feedback : places.requests
        // Who forges feedback has a place for as long as a signature takes to verify.
        let shares = context.isFeedback ? [] : context.placeShares(authenticates: gate.authenticator != nil)
        guard places.hasRoom(for: shares) else { throw Problem.tooManyInFlight }
        let whole = try await request.withWholeBody(limit: route.bodyLimit, in: context)
        return try await places.withPlace(for: shares, until: context.carriedOn) {
            try await route.respond(whole, context)
        }
    }
}
