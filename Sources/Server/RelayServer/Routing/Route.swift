public import HTTPListener
public import HTTPTypes

/// A route: its path, its access rule and its handler.
public struct Route: Sendable {
    public typealias Respond = @Sendable (RelayRequest) async throws -> Answer

    public let method: HTTPRequest.Method
    /// The path, which is also the route's name in the log, in metrics and in rules. It has at most one
    /// parameter, such as `/v1/payments/{merchant_reference}`. If it ends with `/**`, it matches every longer
    /// path that no other route matches.
    public let path: String
    public let access: RouteAccess
    /// The maximum size of the body, in bytes; `nil` for a route that reads no body. The route responds when the
    /// whole body has arrived.
    let bodyLimit: Int?
    /// Returns the response. It may run on the connection's event loop, so long computations must run elsewhere.
    /// ``Problem/init(_:logger:)`` maps its errors to problems.
    let respond: Respond

    public init(
        _ method: HTTPRequest.Method, _ path: String, access: RouteAccess, bodyLimit: Int? = nil,
        respond: @escaping Respond
    ) {
        self.method = method
        self.path = path
        self.access = access
        self.bodyLimit = bodyLimit
        self.respond = respond
    }

    /// Returns the same route with an observer, which gets each request and its response before the response is
    /// sent.
    ///
    /// - Parameter observe: must not block.
    public func observed(by observe: @escaping @Sendable (RelayRequest, Answer) -> Void) -> Route {
        Route(method, path, access: access, bodyLimit: bodyLimit) { [respond] request in
            do {
                let answer = try await respond(request)
                observe(request, answer)
                return answer
            } catch {
                let problem = Problem(error, logger: request.logger)
                observe(request, problem.answer)
                throw problem
            }
        }
    }
}
