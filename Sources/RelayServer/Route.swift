public import HTTPTypes
public import Hummingbird

/// One route of the public listener: who may use it, and what answers it.
public struct Route: Sendable {
    public typealias Respond = @Sendable (Request, RelayRequestContext) async throws -> Response

    let method: HTTPRequest.Method
    let path: RouterPath
    let access: RouteAccess
    /// The longest body, in bytes; nil for a route that reads none. The whole body is there before the route responds.
    let bodyLimit: Int?
    let respond: Respond

    public init(
        _ method: HTTPRequest.Method, _ path: RouterPath, access: RouteAccess, bodyLimit: Int? = nil,
        respond: @escaping Respond
    ) {
        self.method = method
        self.path = path
        self.access = access
        self.bodyLimit = bodyLimit
        self.respond = respond
    }
}
