public import Hummingbird

/// A context that knows at which address its connection arrived.
public protocol AddressedRequestContext: RequestContext {
    var localAddress: String? { get }
}

/// Refuses what a foreign web page sends, for the sandboxes, which use Hummingbird's router. It is the first of the middleware that can
/// refuse: nothing is done before it.
public struct CrossSiteMiddleware<Context: AddressedRequestContext>: RouterMiddleware {
    private let rule: CrossSiteRule
    private let refuse: @Sendable (CrossSiteError) -> Response

    /// - Parameter refuse: makes the response.
    public init(_ rule: CrossSiteRule, refuse: @escaping @Sendable (CrossSiteError) -> Response) {
        self.rule = rule
        self.refuse = refuse
    }

    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do throws(CrossSiteError) {
            try rule.check(request.head) { context.localAddress }
        } catch {
            return refuse(error)
        }
        return try await next(request, context)
    }
}
