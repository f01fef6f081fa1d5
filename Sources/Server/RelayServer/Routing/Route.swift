public import HTTPListener
public import HTTPTypes
public import Hummingbird
import NIOCore

/// One route: its access rule and its handler.
public struct Route: Sendable {
    public typealias Respond = @Sendable (RelayRequest) async throws -> WholeResponse

    public let method: HTTPRequest.Method
    let path: RouterPath
    /// The path as the router describes it: the route's name in log, metrics and rules.
    public let name: String
    let access: RouteAccess
    /// The longest body, in bytes; nil for a route that reads none. The route responds once the whole body has arrived.
    let bodyLimit: Int?
    /// On the event loop of the connection: what computes for long goes on elsewhere. Errors become problems in one place
    /// (``Problem/init(_:logger:)``).
    let respond: @Sendable (RelayRequest) async throws -> RouteResponse

    /// A route whose body is there when it responds.
    public init(
        _ method: HTTPRequest.Method, _ path: RouterPath, access: RouteAccess, bodyLimit: Int? = nil,
        respond: @escaping Respond
    ) {
        self.init(method, path, access: access, bodyLimit: bodyLimit, streaming: { .whole(try await respond($0)) })
    }

    /// A route whose body may be sent while it is made.
    init(
        _ method: HTTPRequest.Method, _ path: RouterPath, access: RouteAccess, bodyLimit: Int? = nil,
        streaming respond: @escaping @Sendable (RelayRequest) async throws -> RouteResponse
    ) {
        self.method = method
        self.path = path
        name = path.description
        self.access = access
        self.bodyLimit = bodyLimit
        self.respond = respond
    }

    /// The same route, and each of its requests is shown with the response, before that is sent. A body that is not there yet is not
    /// shown.
    ///
    /// - Parameter observe: must not block.
    public func observed(by observe: @escaping @Sendable (RelayRequest, WholeResponse) -> Void) -> Route {
        Route(
            method, path, access: access, bodyLimit: bodyLimit,
            streaming: { [respond] request in
                do {
                    let response = try await respond(request)
                    if case .whole(let whole) = response { observe(request, whole) }
                    return response
                } catch {
                    let problem = Problem(error, logger: request.logger)
                    observe(request, problem.response)
                    throw problem
                }
            })
    }
}

/// A route's response, either whole or streamed if its body may be too long to be held in memory.
enum RouteResponse: Sendable {
    typealias Write = (ByteBuffer) async throws -> Void

    case whole(WholeResponse)
    /// The body writes piece by piece, and each write returns when the client has taken most of the ones before. If it throws, the
    /// connection ends without the end of the body.
    case stream(HTTPResponse, body: @Sendable (_ write: Write) async throws -> Void)
}
