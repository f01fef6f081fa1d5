public import HTTPListener
import HTTPTypes
public import Hummingbird

/// The public listener's routes, and the middleware before them. An unknown path is 404, another method on a route's path 405.
public struct RelayRouter: Sendable {
    let routes: [Route]
    let metrics: RelayMetrics
    /// Nil where clients do not authenticate.
    var authenticator: ReloadableAuthenticator?
    var proxies = TrustedProxies()
    var limits = ListenerLimits()
    var requests = RequestsUnderWay()
    /// `http` or `https`.
    var scheme = "http"
    /// The names under which the listener may be asked.
    var hosts = AllowedHosts.any

    public init(
        routes: [Route], metrics: RelayMetrics, authenticator: ReloadableAuthenticator? = nil,
        proxies: TrustedProxies = TrustedProxies(), limits: ListenerLimits = ListenerLimits(),
        requests: RequestsUnderWay = RequestsUnderWay(), scheme: String = "http", hosts: AllowedHosts = .any
    ) {
        self.routes = routes
        self.metrics = metrics
        self.authenticator = authenticator
        self.proxies = proxies
        self.limits = limits
        self.requests = requests
        self.scheme = scheme
        self.hosts = hosts
    }

    public func responder() -> ExactPathResponder<RouterResponder<RelayRequestContext>> {
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
            middleware: CrossSiteMiddleware(
                CrossSiteRule(hosts: hosts, isTLS: scheme == "https"),
                routesOfAnyHost: paths { $0 == .anyone || $0 == .processor }
            ) { throw Problem($0) })
        if let authenticator { router.add(middleware: AuthenticationMiddleware(authenticator: authenticator)) }
        if let rate = limits.clientRequestsPerSecond {
            router.add(middleware: ClientRateLimit(perSecond: rate, exempt: paths { $0 == .processor }))
        }
        let responder = RouteResponder(
            authorization: RouteAuthorization(authenticator: authenticator),
            places: ConcurrencyLimit(limit: limits.requestsInFlight),
            processorPlaces: ConcurrencyLimit(limit: max(1, limits.requestsInFlight / 8)))
        for (path, routes) in Dictionary(grouping: routes, by: \.path.description) {
            var allowed: [HTTPRequest.Method] = []
            for route in routes {
                // A resource that takes GET takes HEAD (RFC 9110, 9.1).
                for method in route.method == .get ? [.get, .head] : [route.method] {
                    router.on(route.path, method: method) { request, context in
                        try await responder.respond(to: request, on: route, context)
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

    private func paths(where isIncluded: (RouteAccess) -> Bool) -> Set<String> {
        Set(routes.filter { isIncluded($0.access) }.map(\.path.description))
    }
}

/// The last steps before a route's endpoint: authorization, a place in flight, the whole body.
private struct RouteResponder: Sendable {
    let authorization: RouteAuthorization
    let places: ConcurrencyLimit
    /// The processor's messages have places of their own: they take none from clients, and clients none from them.
    let processorPlaces: ConcurrencyLimit

    /// A place is taken once the body is there, so that half of a body holds none. Where no place is free already, the body is not
    /// read.
    func respond(to request: Request, on route: Route, _ context: RelayRequestContext) async throws -> Response {
        var context = context
        context.client = try authorization.authorize(route.access, context: context)
        let isProcessor = route.access == .processor
        let places = isProcessor ? processorPlaces : places
        // A forged message has its place for as long as a signature takes to verify.
        let shares =
            isProcessor ? [] : context.placeShares(authenticates: authorization.authenticator != nil)
        guard places.hasRoom(for: shares) else { throw Problem.tooManyInFlight }
        let whole = try await request.withWholeBody(limit: route.bodyLimit, in: context)
        return try await places.withPlace(for: shares, until: context.carriedOn) { [context] in
            try await route.respond(whole, context)
        }
    }
}
