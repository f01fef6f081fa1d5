public import Hummingbird

/// A context that knows at which address its connection arrived.
public protocol AddressedRequestContext: RequestContext {
    var localAddress: String? { get }
}

/// Refuses what a foreign web page sends, by the route that it is for. The first of the middleware that can refuse: nothing is
/// done before it.
public struct RequestSourceMiddleware<Context: AddressedRequestContext>: RouterMiddleware {
    private let rule: RequestSourceRule
    private let routesOfAnyHost: Set<String>
    private let refuse: @Sendable (RequestSourceError) throws -> Response

    /// - Parameters:
    ///   - routesOfAnyHost: routes, as the router describes them, that may be asked for under any name.
    ///   - refuse: throws, or makes the response.
    public init(
        _ rule: RequestSourceRule, routesOfAnyHost: Set<String> = [],
        refuse: @escaping @Sendable (RequestSourceError) throws -> Response
    ) {
        self.rule = rule
        self.routesOfAnyHost = routesOfAnyHost
        self.refuse = refuse
    }

    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do throws(RequestSourceError) {
            let hasAnyHost = context.endpointPath.map { routesOfAnyHost.contains($0) } ?? false
            try rule.check(request.head, hasAnyHost: hasAnyHost) { context.localAddress }
        } catch {
            return try refuse(error)
        }
        return try await next(request, context)
    }
}
