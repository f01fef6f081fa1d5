import AccessControl
import HTTPListener
import HTTPTypes
import Hummingbird
import NIOCore
import Tracing

/// The one sequence of every request: begin, origin, authenticate, rate, admit, body, place, respond, end. A request
/// without a route goes through all of it but the middle. The limits of connections, heads and bodies are the
/// listener's, before this.
struct RequestSequence: Sendable {
    let lifecycle: RequestLifecycle
    let admission: RouteAdmission

    /// - Parameters:
    ///   - path: nil where there is none of the request's.
    ///   - parameter: what the request has in the place of the path's parameter.
    func respond(
        to request: Request, at path: RouteTable.Path?, parameter: String, _ context: RelayRequestContext
    ) async -> Response {
        let open = lifecycle.begin(request.head, peer: context.peerAddress, logger: context.logger)
        defer { withExtendedLifetime(open.underWay) {} }
        var response = await ServiceContext.withValue(open.span.context) {
            do {
                return try await answer(to: request, open, at: path, parameter: parameter, context)
            } catch {
                return Response(Problem(error, logger: open.logger).response)
            }
        }
        if request.method == .head { response = response.createHeadResponse() }
        lifecycle.end(open, path: path?.name, response.status, &response.headers)
        return response
    }

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
