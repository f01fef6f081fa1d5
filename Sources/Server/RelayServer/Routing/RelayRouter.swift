import AccessControl
public import HTTPListener
import HTTPTypes
public import Hummingbird
import NIOCore
import Tracing
public import UnderWay

/// Answers the requests of the public listener by its routes. An unknown path is 404, another method on a route's path 405.
///
/// The one sequence of every request: begin, origin, authenticate, rate, admit, body, place, respond, end. A request
/// without a route goes through all of it but the middle. The limits of connections, heads and bodies are the
/// listener's, before this.
public struct RelayRouter: HTTPResponder {
    private let table: RouteTable
    private let lifecycle: RequestLifecycle
    private let admission: RouteAdmission

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
        lifecycle = RequestLifecycle(
            metrics: metrics, requests: requests, proxies: proxies, scheme: scheme,
            crossSite: CrossSiteRule(hosts: hosts, isTLS: scheme == "https"),
            pathsOfAnyHost: paths { $0 == .anyone || $0 == .processor },
            rate: limits.clientRequestsPerSecond.map {
                ClientRateLimit(perSecond: $0, exempt: paths { $0 == .processor })
            })
        admission = RouteAdmission(
            authorization: RouteAuthorization(authenticator: authenticator, isRequired: authenticationIsRequired),
            places: ConcurrencyLimit(limit: limits.requestsInFlight),
            processorPlaces: ConcurrencyLimit(limit: max(1, limits.requestsInFlight / 8)),
            streamPlaces: ConcurrencyLimit(limit: max(1, limits.requestsInFlight / 8)))
    }

    /// Takes its part of the rate of each client, where that is given for all instances together.
    public func divideLimits(among instances: Int) { lifecycle.rate?.divide(among: instances) }

    public func respond(to request: Request, context: RelayRequestContext) async -> Response {
        let found = table.path(of: request.head.path)
        let open = lifecycle.begin(request.head, peer: context.peerAddress, logger: context.logger)
        defer { withExtendedLifetime(open.underWay) {} }
        var response = await ServiceContext.withValue(open.span.context) {
            do {
                return try await answer(to: request, open, at: found?.path, parameter: found?.parameter ?? "", context)
            } catch {
                return Response(Problem(error, logger: open.logger).response)
            }
        }
        if request.method == .head { response = response.withoutBody() }
        lifecycle.end(open, path: found?.path.name, response.status, &response.headers)
        return response
    }

    /// - Parameters:
    ///   - path: nil where there is none of the request's.
    ///   - parameter: what the request has in the place of the path's parameter.
    private func answer(
        to request: Request, _ open: OpenRequest, at path: RouteTable.Path?, parameter: String,
        _ context: RelayRequestContext
    ) async throws -> Response {
        try lifecycle.check(open, path: path?.name) { context.localAddress }
        let authentication: Result<AuthenticatedClient, AuthenticationError>
        do throws(AuthenticationError) {
            authentication = .success(
                try await admission.authorization.authenticate(authorization: request.headers[.authorization]))
        } catch {
            authentication = .failure(error)
        }
        try lifecycle.rate?.count(authentication, open.clientAddress, path: path?.name)
        guard let path else { throw Problem.notFound }
        let route = try path.route(for: request.method)
        let admitted = try admission.admit(open, to: route, authentication)
        if route.bodyLimit != nil, request.headers[.expect] != nil { context.sendContinue() }
        let body = try await request.wholeBody(limit: route.bodyLimit)
        try open.underWay.takePlace(admitted)
        let relayed = RelayRequest(
            head: request.head, body: body, merchantReference: parameter, client: admitted.client,
            clientAddress: open.clientAddress, identifier: open.identifier, underWay: open.underWay,
            executor: context.executor, baseLogger: open.baseLogger)
        let response: RouteResponse
        do {
            response = try await route.respond(relayed)
        } catch {
            guard admitted.client?.order != nil else { throw error }
            throw Problem(error, logger: open.logger).forPhones
        }
        switch response {
        case .whole(let whole): return Response(whole)
        case .stream(let head, let body):
            try open.underWay.takePlace(admission.streaming(admitted))
            return Response(head, holding: open.underWay, body)
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
