import AccessControl
public import HTTPListener
public import HTTPTypes
public import Hummingbird
import NIOCore
import Tracing
public import UnderWay

/// The responder of a listener. It answers requests by the listener's routes: those of the public API, or the
/// probes, the console and the API for operators. An unknown path gets 404; a known path with another method gets
/// 405.
///
/// Every request passes the same steps: begin, check the origin, authenticate, check the rate, admit, read the
/// body, take a slot, respond, end. A request without a route skips the steps from admit to respond. The limits
/// on connections, heads and bodies are enforced earlier, by the listener.
public struct RelayRouter: HTTPResponder {
    private let table: RouteTable
    private let lifecycle: RequestLifecycle
    private let admission: RouteAdmission
    private let page: @Sendable (Problem, HTTPRequest) -> Answer?

    /// - Parameters:
    ///   - metrics: `nil` for an operators' listener: its requests are not recorded, and each gets an identifier
    ///     that payrelay creates.
    ///   - authentication: how senders authenticate.
    ///   - scheme: `http` or `https`.
    ///   - hosts: the host names under which the listener accepts requests.
    ///   - page: returns a problem as an HTML page; `nil` if the request is not for a page.
    public init(
        routes: [Route], metrics: RelayMetrics?, authentication: RequestAuthentication = .none,
        proxies: TrustedProxies = TrustedProxies(), limits: ListenerLimits = ListenerLimits(),
        requests: WorkUnderWay = WorkUnderWay(), scheme: String = "http", hosts: AllowedHosts = .any,
        page: @escaping @Sendable (Problem, HTTPRequest) -> Answer? = { _, _ in nil }
    ) {
        func paths(where isIncluded: (RouteAccess) -> Bool) -> Set<String> {
            Set(routes.filter { isIncluded($0.access) }.map(\.path))
        }
        table = RouteTable(routes)
        lifecycle = RequestLifecycle(
            metrics: metrics, requests: requests, proxies: proxies, scheme: scheme,
            crossSite: CrossSiteRule(hosts: hosts, isTLS: scheme == "https"),
            pathsOfAnyHost: paths { $0 == .anyone || $0 == .gateway },
            rate: limits.clientRequestsPerSecond.map {
                ClientRateLimit(limit: RateLimit(perSecond: $0), exempt: paths { $0 == .gateway })
            })
        admission = RouteAdmission(authentication, limits)
        self.page = page
    }

    /// Reduces the rate of each client to this instance's share, if the rate is configured for all instances
    /// together.
    public func divideLimits(among instances: Int) { lifecycle.rate?.limit.divide(among: instances) }

    public func respond(to request: Request, context: RelayRequestContext) async -> Response {
        let found = table.path(of: request.head.path)
        let open = lifecycle.begin(request.head, peer: context.peerAddress, logger: context.logger)
        defer { withExtendedLifetime(open.underWay) {} }
        var response = await ServiceContext.withValue(open.span?.context) {
            do {
                let answer = try await answer(
                    to: request, open, at: found?.path, parameter: found?.parameter ?? "", context)
                return Response(answer, holding: open.underWay)
            } catch {
                let problem = Problem(error, logger: open.logger)
                return Response(page(problem, request.head) ?? problem.answer)
            }
        }
        if request.method == .head { response = response.withoutBody() }
        lifecycle.end(open, path: found?.path.name, response.status, &response.headers)
        return response
    }

    /// Returns the response to a request, after all steps before its route.
    ///
    /// - Parameters:
    ///   - path: the path of the routing table; `nil` if the request matches none.
    ///   - parameter: the request's value for the parameter of the path.
    private func answer(
        to request: Request, _ open: OpenRequest, at path: RouteTable.Path?, parameter: String,
        _ context: RelayRequestContext
    ) async throws -> Answer {
        try lifecycle.check(open, path: path?.name) { context.localAddress }
        let sender: Result<AuthenticatedSender, AuthenticationError>
        do throws(AuthenticationError) {
            sender = .success(try await admission.authentication.authenticate(request.headers[.authorization]))
        } catch {
            sender = .failure(error)
        }
        try lifecycle.rate?.count(sender, open.clientAddress, path: path?.name)
        guard let path else { throw Problem.notFound }
        let route = try path.route(for: request.method)
        let admitted = try admission.admit(open, to: route, sender)
        if route.bodyLimit != nil, request.headers[.expect] != nil { context.sendContinue() }
        let body = try await request.wholeBody(limit: route.bodyLimit)
        try open.underWay.takeSlot(admitted)
        let relayed = RelayRequest(
            head: request.head, body: body, pathParameter: parameter, sender: admitted.sender,
            clientAddress: open.clientAddress, identifier: open.identifier, underWay: open.underWay,
            executor: context.executor, baseLogger: open.baseLogger)
        let answer: Answer
        do {
            answer = try await route.respond(relayed)
        } catch {
            guard relayed.client?.order != nil else { throw error }
            throw Problem(error, logger: open.logger).forPhones
        }
        if case .stream = answer.body { try open.underWay.takeSlot(admission.streaming(admitted)) }
        return answer
    }
}

extension Request {
    /// Returns the whole body.
    ///
    /// - Parameter limit: the limit in bytes; `nil` if no body is read.
    /// - Throws: ``Problem`` 413 if the body exceeds the limit, 400 if the body ends too early.
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

extension Response {
    /// Creates Hummingbird's form of a response.
    ///
    /// - Parameter underWay: held until a stream was sent. The listener disconnects a client that does not read
    ///   the stream.
    fileprivate init(_ answer: Answer, holding underWay: RequestUnderWay? = nil) {
        let body =
            switch answer.body {
            case .bytes(let buffer): ResponseBody(byteBuffer: buffer)
            case .stream(let stream):
                ResponseBody { writer in
                    defer { withExtendedLifetime(underWay) {} }
                    try await stream { try await writer.write($0) }
                    try await writer.finish(nil)
                }
            }
        self.init(status: answer.head.status, headers: answer.head.headerFields, body: body)
        // Hummingbird adds the length of the empty body, which is not the length of the resource (RFC 9110, 8.6).
        if status == .notModified { headers[.contentLength] = nil }
    }

    /// Returns the response to HEAD: the same head without the body (RFC 9110, 9.3.2). Hummingbird adds the
    /// length of the empty body. That length is removed if the response to GET has none, because the body is a
    /// stream or the status is 304.
    fileprivate func withoutBody() -> Response {
        let length = headers[.contentLength]
        var response = createHeadResponse()
        response.headers[.contentLength] = length
        return response
    }
}
