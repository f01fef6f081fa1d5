import AccessControl
import HTTPListener
import HTTPTypes
public import Hummingbird
import Logging
import NIOCore
import Tracing

/// The sequence of every request, and of what has no route: begin, refuse, authenticate, count, the route (``Route/respond(to:_:_:)``),
/// end.
struct RequestMiddleware: RouterMiddleware {
    let lifecycle: RequestLifecycle
    /// Nil where clients do not authenticate.
    let authenticator: ReloadableAuthenticator?

    func handle(
        _ request: Request, context: RelayRequestContext,
        next: (Request, RelayRequestContext) async throws -> Response
    ) async throws -> Response {
        let open = lifecycle.begin(request.head, peer: context.peerAddress, logger: context.logger)
        defer { withExtendedLifetime(open.underWay) {} }
        var response = await ServiceContext.withValue(open.span.context) {
            do {
                return try await respond(to: request, open, context, next)
            } catch {
                return Response(Problem(error, logger: open.logger).response)
            }
        }
        if request.method == .head { response = response.createHeadResponse() }
        lifecycle.end(open, path: context.endpointPath, response.status, &response.headers)
        return response
    }

    private func respond(
        to request: Request, _ open: OpenRequest, _ context: RelayRequestContext,
        _ next: (Request, RelayRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.logger = open.logger
        context.request = open
        try lifecycle.check(open, path: context.endpointPath) { context.localAddress }
        if let authenticator {
            do throws(AuthenticationError) {
                context.authentication = .success(
                    try await authenticator.authenticate(authorization: request.headers[.authorization]))
            } catch {
                context.authentication = .failure(error)
            }
        }
        try lifecycle.rate?.count(context.authentication, open.clientAddress, path: context.endpointPath)
        return try await next(request, context)
    }
}

/// What a request carries through the router.
public struct RelayRequestContext: RequestContext {
    public var coreContext: CoreRequestContextStorage
    /// Nil before the first middleware.
    var request: OpenRequest?
    /// The client, or why it is not authenticated.
    var authentication = Result<AuthenticatedClient, AuthenticationError>.failure(.missing)
    /// Of the connection: what goes on for the request runs there.
    let executor: any TaskExecutor
    private let channel: any Channel

    var peerAddress: String? { channel.remoteAddress?.ipAddress }
    var localAddress: String? { channel.localAddress?.ipAddress }

    public init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        executor = EventLoopTaskExecutor(source.channel.eventLoop)
    }

    /// Ends the connection, or the stream of HTTP/2, without the end of the response.
    func abort() { channel.close(promise: nil) }

    /// Tells a client that waits for it to send its body (RFC 9110, 10.1.1).
    func sendContinue() {
        channel.triggerUserOutboundEvent(BodyWanted(), promise: nil)
    }
}
