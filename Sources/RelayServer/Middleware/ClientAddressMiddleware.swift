import HTTPListener
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
