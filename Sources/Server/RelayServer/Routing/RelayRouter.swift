import AccessControl
public import HTTPListener
import HTTPTypes
public import Hummingbird
public import UnderWay

/// The public listener's routes, with what is done before and after each. An unknown path is 404, another method on a route's path 405.
public struct RelayRouter: Sendable {
    let routes: [Route]
    private let sequence: RequestSequence
    private let rate: ClientRateLimit?

    /// - Parameters:
    ///   - authenticator: nil where clients do not authenticate.
    ///   - authenticationIsRequired: false only on loopback: then a JWT is checked where one is sent.
    ///   - scheme: `http` or `https`.
    ///   - hosts: the names under which the listener may be asked.
    public init(
        routes: [Route], metrics: RelayMetrics, authenticator: ReloadableAuthenticator? = nil,
        authenticationIsRequired: Bool = true,
        proxies: TrustedProxies = TrustedProxies(), limits: ListenerLimits = ListenerLimits(),
        requests: WorkUnderWay = WorkUnderWay(), scheme: String = "http", hosts: AllowedHosts = .any
    ) {
        func paths(where isIncluded: (RouteAccess) -> Bool) -> Set<String> {
            Set(routes.filter { isIncluded($0.access) }.map(\.name))
        }
        self.routes = routes
        rate = limits.clientRequestsPerSecond.map {
            ClientRateLimit(perSecond: $0, exempt: paths { $0 == .processor })
        }
        let lifecycle = RequestLifecycle(
            metrics: metrics, requests: requests, proxies: proxies, scheme: scheme,
            crossSite: CrossSiteRule(hosts: hosts, isTLS: scheme == "https"),
            pathsOfAnyHost: paths { $0 == .anyone || $0 == .processor },
            rate: rate)
        let admission = RouteAdmission(
            authorization: RouteAuthorization(authenticator: authenticator, isRequired: authenticationIsRequired),
            places: ConcurrencyLimit(limit: limits.requestsInFlight),
            processorPlaces: ConcurrencyLimit(limit: max(1, limits.requestsInFlight / 8)))
        sequence = RequestSequence(lifecycle: lifecycle, admission: admission)
    }

    /// Takes its part of the rate of each client, where that is given for all instances together.
    public func divideLimits(among instances: Int) { rate?.divide(among: instances) }

    public func responder() -> ExactPathResponder<RouterResponder<RelayRequestContext>> {
        let router = Router(context: RelayRequestContext.self)
        router.add(middleware: sequence)
        for (path, routes) in Dictionary(grouping: routes, by: \.name) {
            var allowed: [HTTPRequest.Method] = []
            for route in routes {
                // A resource that takes GET takes HEAD (RFC 9110, 9.1).
                for method in route.method == .get ? [.get, .head] : [route.method] {
                    router.on(route.path, method: method) { [sequence] request, context in
                        try await sequence.respond(to: request, by: route, context)
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
}
