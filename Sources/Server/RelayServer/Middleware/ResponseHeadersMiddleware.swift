import HTTPTypes
import Hummingbird
import Logging

/// Adds the header fields that every response has. A response to HEAD has its header alone (RFC 9110, 9.3.2).
struct ResponseHeadersMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        if request.method == .head { response = response.withoutBody() }
        response.headers.addCommon()
        response.headers[.requestIdentifier] = context.id
        return response
    }
}

extension HTTPFields {
    /// Nothing here may be cached, unless it says so itself, or taken for another media type.
    mutating func addCommon() {
        if self[.cacheControl] == nil { self[.cacheControl] = "no-store" }
        self[.xContentTypeOptions] = "nosniff"
    }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    // Safe: literals of RFC 9110 token characters.
    static let requestIdentifier = HTTPField.Name("X-Request-Id")!
    // swift-format-ignore: NeverForceUnwrap
    static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
    // swift-format-ignore: NeverForceUnwrap
    static let idempotentReplayed = HTTPField.Name("Idempotent-Replayed")!
    // swift-format-ignore: NeverForceUnwrap
    static let serverTiming = HTTPField.Name("Server-Timing")!
}
