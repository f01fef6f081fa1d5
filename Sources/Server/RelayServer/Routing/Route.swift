public import HTTPListener
public import HTTPTypes

/// One route: its access rule and its handler.
public struct Route: Sendable {
    public typealias Respond = @Sendable (RelayRequest) async throws -> Answer

    public let method: HTTPRequest.Method
    /// The path, also in log, metrics and rules. It has one parameter at most, such as `/v1/payments/{merchant_reference}`; `/**` at its end
    /// is every longer path that is not another route's.
    public let path: String
    public let access: RouteAccess
    /// The longest body, in bytes; `nil` for a route that reads none. The route responds once the whole body has arrived.
    let bodyLimit: Int?
    /// On the event loop of the connection, if the listener is so: what computes for long goes on elsewhere. Errors become problems in one
    /// place (``Problem/init(_:logger:)``).
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

    /// The same route, and each of its requests is shown with the answer, before that is sent.
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
