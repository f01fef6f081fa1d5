import Hummingbird
import Logging

/// Turns every thrown error into problem details, or into a page for people.
struct ProblemMiddleware<Context: RequestContext>: RouterMiddleware {
    /// Nil where there are no pages.
    let pages: (any OperatorsPages)?

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let problem = Problem(error, logger: context.logger)
            return pages?.page(about: problem, for: request.head) ?? Response(problem.response)
        }
    }
}
