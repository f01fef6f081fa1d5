import HTTPTypes
import Hummingbird

/// The methods that are routed: 405 where a path does not take one of them.
enum KnownMethods {
    /// Every method that a standard gives a meaning to on a path (RFC 9110, RFC 5789), and QUERY.
    static let all = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"]
        .compactMap { HTTPRequest.Method($0) }
    static let set = Set(all)
}

/// Refuses methods that no path takes with 501 (RFC 9110, 9.1).
struct KnownMethodMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard KnownMethods.set.contains(request.method) else { throw Problem.unknownMethod }
        return try await next(request, context)
    }
}
