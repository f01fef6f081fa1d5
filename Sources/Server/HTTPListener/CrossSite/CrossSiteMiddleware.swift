public import Hummingbird

/// A context that knows at which address its connection arrived.
public protocol AddressedRequestContext: RequestContext {
    var localAddress: String? { get }
}

/// Refuses what a foreign web page sends, by the route that it is for. The first of the middleware that can refuse: nothing is
/// done before it.
public struct CrossSiteMiddleware<Context: AddressedRequestContext>: RouterMiddleware {
    private let rule: CrossSiteRule
    private let pathsOfAnyHost: Set<String>
    private let refuse: @Sendable (CrossSiteError) throws -> Response

    /// - Parameters:
    ///   - pathsOfAnyHost: those that every client is answered alike, under any host name.
    ///   - refuse: throws, or makes the response.
    public init(
        _ rule: CrossSiteRule, pathsOfAnyHost: Set<String> = [],
        refuse: @escaping @Sendable (CrossSiteError) throws -> Response
    ) {
        self.rule = rule
        self.pathsOfAnyHost = pathsOfAnyHost
        self.refuse = refuse
    }

    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do throws(CrossSiteError) {
            try rule.check(
                request.head, hasAnyHost: request.head.path.map { pathsOfAnyHost.contains($0) } ?? false
            ) { context.localAddress }
        } catch {
            return try refuse(error)
        }
        return try await next(request, context)
    }
}
