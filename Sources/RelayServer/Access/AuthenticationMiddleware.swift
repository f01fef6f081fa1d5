import AccessControl
import HTTPTypes
import Hummingbird

/// Authenticates the client of a request. Whether it may use the route is for ``RouteAuthorization``.
struct AuthenticationMiddleware: RouterMiddleware {
    let authenticator: ReloadableAuthenticator

    func handle(
        _ request: Request, context: RelayRequestContext,
        next: (Request, RelayRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        do throws(AuthenticationError) {
            context.authentication = .success(
                try await authenticator.authenticate(authorization: request.headers[.authorization]))
        } catch {
            context.authentication = .failure(error)
        }
        return try await next(request, context)
    }
}
