public import Hummingbird

/// A request context that knows the address at which the connection arrived.
public protocol AddressedRequestContext: RequestContext {
    var localAddress: String? { get }
}

/// Rejects requests that a foreign web page sends. For the sandboxes, which use Hummingbird's router. It must
/// precede every middleware that has an effect.
public struct CrossSiteMiddleware<Context: AddressedRequestContext>: RouterMiddleware {
    private let rule: CrossSiteRule
    private let refuse: @Sendable (CrossSiteError) -> Response

    /// - Parameter refuse: returns the response to a rejected request.
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
