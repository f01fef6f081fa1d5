public import HTTPListener
public import HTTPTypes
public import Hummingbird
import NIOCore

/// One route of the public listener: who may use it, and what answers it.
public struct Route: Sendable {
    public typealias Respond = @Sendable (RelayRequest) async throws -> WholeResponse
    public typealias RespondOnEventLoop = @Sendable (RelayRequest, ResponseHandle) -> Void

    enum Responder: Sendable {
        case task(Respond)
        /// In a task; the body may be sent while it is made.
        case streaming(@Sendable (RelayRequest) async throws -> RouteResponse)
        /// On the event loop of the connection: it must not block. What takes longer goes on elsewhere.
        case eventLoop(RespondOnEventLoop)
    }

    public let method: HTTPRequest.Method
    let path: RouterPath
    /// The path as the router describes it; what log, metrics and rules know the route by.
    public let name: String
    let access: RouteAccess
    /// The longest body, in bytes; nil for a route that reads none. The whole body is there before the route responds.
    let bodyLimit: Int?
    let responder: Responder

    /// A route that is answered in a task.
    public init(
        _ method: HTTPRequest.Method, _ path: RouterPath, access: RouteAccess, bodyLimit: Int? = nil,
        respond: @escaping Respond
    ) {
        self.init(method, path, access: access, bodyLimit: bodyLimit, responder: .task(respond))
    }

    init(
        _ method: HTTPRequest.Method, _ path: RouterPath, access: RouteAccess, bodyLimit: Int?, responder: Responder
    ) {
        self.method = method
        self.path = path
        name = path.description
        self.access = access
        self.bodyLimit = bodyLimit
        self.responder = responder
    }
}

/// What a route answers whose body may be too long to be held in memory.
enum RouteResponse: Sendable {
    typealias Write = (ByteBuffer) async throws -> Void

    case whole(WholeResponse)
    /// The body writes piece by piece, and each write returns when the client has taken the ones before. Where it throws, the
    /// connection ends without the end of the body.
    case stream(HTTPResponse, body: @Sendable (_ write: Write) async throws -> Void)
}

/// Takes the response of a route that answers on an event loop.
public struct ResponseHandle: Sendable {
    /// For a task that goes on with the request: the event loop; nil for where all tasks run.
    let executor: (any TaskExecutor)?
    /// The response is there. Like ``end``, it is to be called once, from any thread.
    let answer: @Sendable (WholeResponse) -> Void
    /// Nothing goes on for the request any more: after the answer.
    let end: @Sendable () -> Void
}
