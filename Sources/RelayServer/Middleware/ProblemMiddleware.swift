import Hummingbird
import Logging

/// Turns every thrown error into problem details.
struct ProblemMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            return Response(Problem(error, logger: context.logger).response)
        }
    }
}
