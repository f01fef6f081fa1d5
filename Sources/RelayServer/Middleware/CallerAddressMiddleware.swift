import HTTPTypes
import Hummingbird

/// Finds where the caller is, behind the proxies that are trusted.
struct CallerAddressMiddleware: RouterMiddleware {
    let proxies: TrustedProxies

    func handle(
        _ request: Request, context: RelayRequestContext,
        next: (Request, RelayRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.callerAddress = context.callerAddress.map {
            proxies.caller(peer: $0, of: request.headers)
        }
        return try await next(request, context)
    }
}

extension TrustedProxies {
    /// Where the caller is, by the header of its request.
    func caller(peer: String, of fields: HTTPFields) -> String {
        caller(peer: peer, forwardedFor: fields[values: .xForwardedFor], forwarded: fields[values: .forwarded])
    }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    // Safe: literals of RFC 9110 token characters.
    fileprivate static let xForwardedFor = HTTPField.Name("X-Forwarded-For")!
    // swift-format-ignore: NeverForceUnwrap
    fileprivate static let forwarded = HTTPField.Name("Forwarded")!
}
