import AccessControl
public import HTTPListener
import HTTPTypes
public import Hummingbird
public import Logging
import NIOCore
import Tracing
public import UnderWay

/// The public listener's routes, with what is done before and after each. An unknown path is 404, another method on a route's path 405.
public struct RelayRouter: Sendable {
    let routes: [Route]
    let lifecycle: RequestLifecycle
    let admission: RouteAdmission
    let logger: Logger

    /// - Parameters:
    ///   - authenticator: nil where clients do not authenticate.
    ///   - scheme: `http` or `https`.
    ///   - hosts: the names under which the listener may be asked.
    public init(
        routes: [Route], metrics: RelayMetrics, authenticator: ReloadableAuthenticator? = nil,
        proxies: TrustedProxies = TrustedProxies(), limits: ListenerLimits = ListenerLimits(),
        requests: WorkUnderWay = WorkUnderWay(), scheme: String = "http", hosts: AllowedHosts = .any,
        logger: Logger
    ) {
        func paths(where isIncluded: (RouteAccess) -> Bool) -> Set<String> {
            Set(routes.filter { isIncluded($0.access) }.map(\.name))
        }
        self.routes = routes
        self.logger = logger
        lifecycle = RequestLifecycle(
            metrics: metrics, requests: requests, proxies: proxies, scheme: scheme,
            crossSite: CrossSiteRule(hosts: hosts, isTLS: scheme == "https"),
            pathsOfAnyHost: paths { $0 == .anyone || $0 == .processor },
            rate: limits.clientRequestsPerSecond.map {
                ClientRateLimit(perSecond: $0, exempt: paths { $0 == .processor })
            })
        admission = RouteAdmission(
            authorization: RouteAuthorization(authenticator: authenticator),
            places: ConcurrencyLimit(limit: limits.requestsInFlight),
            processorPlaces: ConcurrencyLimit(limit: max(1, limits.requestsInFlight / 8)))
    }

    public func responder() -> ExactPathResponder<RouterResponder<RelayRequestContext>> {
        let router = Router(context: RelayRequestContext.self)
        router.add(
            middleware: RequestMiddleware(lifecycle: lifecycle, authenticator: admission.authorization.authenticator))
        for (path, routes) in Dictionary(grouping: routes, by: \.name) {
            var allowed: [HTTPRequest.Method] = []
            for route in routes {
                // A resource that takes GET takes HEAD (RFC 9110, 9.1).
                for method in route.method == .get ? [.get, .head] : [route.method] {
                    router.on(route.path, method: method) { [admission] request, context in
                        try await route.respond(to: request, context, admission)
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

extension Route {
    /// Admission, the whole body, a place, and the route's own answer.
    fileprivate func respond(
        to request: Request, _ context: RelayRequestContext, _ admission: RouteAdmission
    ) async throws -> Response {
        guard let open = context.request else { throw Problem.unexpected }
        let admitted = try admission.admit(open, to: self, context.authentication)
        if bodyLimit != nil, request.headers[.expect] != nil { context.sendContinue() }
        let body = try await request.wholeBody(limit: bodyLimit)
        try open.underWay.takePlace(admitted)
        let response = try await respond(
            RelayRequest(
                head: request.head, body: body,
                merchantReference: context.parameters.get("merchant_reference") ?? "", client: admitted.client,
                clientAddress: open.clientAddress, identifier: open.identifier, underWay: open.underWay,
                executor: context.executor, baseLogger: open.baseLogger))
        return switch response {
        case .whole(let whole): Response(whole)
        case .stream(let head, let body): Response(head, context, holding: open.underWay, body)
        }
    }
}

extension Request {
    /// - Parameter limit: in bytes; nil where no body is read.
    /// - Throws: ``Problem`` 413 beyond the limit, 400 where the body ends too early.
    fileprivate func wholeBody(limit: Int?) async throws -> ByteBuffer {
        guard let limit else { return ByteBuffer() }
        do {
            return try await body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw Problem.bodyTooLarge(limit: limit)
        } catch {
            throw Problem.incompleteBody
        }
    }
}
