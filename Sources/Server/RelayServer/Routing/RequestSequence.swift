import AccessControl
import HTTPListener
import HTTPTypes
import Hummingbird
import NIOCore
import Tracing

/// The one sequence of every request: begin, origin, authenticate, rate, admit, body, place, respond, end. A request
/// without a route goes through all of it but the middle. The limits of connections, heads and bodies are the
/// listener's, before this.
struct RequestSequence: RouterMiddleware {
    let lifecycle: RequestLifecycle
    let admission: RouteAdmission

    func handle(
        _ request: Request, context: RelayRequestContext,
        next: (Request, RelayRequestContext) async throws -> Response
    ) async throws -> Response {
        let open = lifecycle.begin(request.head, peer: context.peerAddress, logger: context.logger)
        defer { withExtendedLifetime(open.underWay) {} }
        var response = await ServiceContext.withValue(open.span.context) {
            do {
                return try await next(request, try await checked(request, open, context))
            } catch {
                return Response(Problem(error, logger: open.logger).response)
            }
        }
        if request.method == .head { response = response.createHeadResponse() }
        lifecycle.end(open, path: context.endpointPath, response.status, &response.headers)
        return response
    }

    /// Runs the checks that need no route: origin, authentication and rate limit.
    private func checked(
        _ request: Request, _ open: OpenRequest, _ context: RelayRequestContext
    ) async throws -> RelayRequestContext {
        var context = context
        context.logger = open.logger
        context.request = open
        try lifecycle.check(open, path: context.endpointPath) { context.localAddress }
        do throws(AuthenticationError) {
            context.authentication = .success(
                try await admission.authorization.authenticate(authorization: request.headers[.authorization]))
        } catch {
            context.authentication = .failure(error)
        }
        try lifecycle.rate?.count(context.authentication, open.clientAddress, path: context.endpointPath)
        return context
    }

    /// The route's part, in the middle of ``handle(_:context:next:)``.
    func respond(
        to request: Request, by route: Route, _ context: RelayRequestContext
    ) async throws -> Response {
        guard let open = context.request else { throw Problem.unexpected }
        let admitted = try admission.admit(open, to: route, context.authentication)
        if route.bodyLimit != nil, request.headers[.expect] != nil { context.sendContinue() }
        let body = try await request.wholeBody(limit: route.bodyLimit)
        try open.underWay.takePlace(admitted)
        let relayed = RelayRequest(
            head: request.head, body: body,
            merchantReference: context.parameters.get("merchant_reference") ?? "", client: admitted.client,
            clientAddress: open.clientAddress, identifier: open.identifier, underWay: open.underWay,
            executor: context.executor, baseLogger: open.baseLogger)
        let response: RouteResponse
        do {
            response = try await route.respond(relayed)
        } catch {
            guard admitted.client?.order != nil else { throw error }
            throw Problem(error, logger: open.logger).forPhones
        }
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
