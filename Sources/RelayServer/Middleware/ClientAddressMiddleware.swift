import HTTPTypes
import Hummingbird

/// Finds where the client is, behind the proxies that are trusted.
struct ClientAddressMiddleware: RouterMiddleware {
    let proxies: TrustedProxies

    func handle(
        _ request: Request, context: RelayRequestContext,
        next: (Request, RelayRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.clientAddress = context.clientAddress.map {
            proxies.clientAddress(peer: $0, of: request.headers)
        }
        return try await next(request, context)
    }
}

extension TrustedProxies {
    /// Where the client is, by the header of its request.
    func clientAddress(peer: String, of fields: HTTPFields) -> String {
        clientAddress(peer: peer, forwardedFor: fields[values: .xForwardedFor], forwarded: fields[values: .forwarded])
    }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    // Safe: literals of RFC 9110 token characters.
    fileprivate static let xForwardedFor = HTTPField.Name("X-Forwarded-For")!
    // swift-format-ignore: NeverForceUnwrap
    fileprivate static let forwarded = HTTPField.Name("Forwarded")!
}
