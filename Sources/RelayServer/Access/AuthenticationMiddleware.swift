import AccessControl
import HTTPTypes
import Hummingbird

/// Finds out who calls, before anything is done for him. Whether he may is for the ``AccessGate`` of the route.
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
