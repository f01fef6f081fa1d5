public import HTTPListener
public import Hummingbird
public import UnderWay

/// Answers the requests of the public listener: by its routes, with what is done before and after each. An unknown path is 404, another
/// method on a route's path 405.
public struct RelayRouter: HTTPResponder {
    private let table: RouteTable
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
        table = RouteTable(routes)
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

    public func respond(to request: Request, context: RelayRequestContext) async -> Response {
        let found = table.path(of: request.head.path)
        return await sequence.respond(to: request, at: found?.path, parameter: found?.parameter ?? "", context)
    }
}
