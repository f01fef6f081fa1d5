import Hummingbird
import Logging

/// Turns whatever was thrown into problem details, so that every error of this service has one shape. What is not a
/// ``Problem`` or an error of HTTP itself is a bug: its text goes to the log, not to the caller.
struct ProblemMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: RelayRequestContext,
        next: (Request, RelayRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let problem as Problem {
            return problem.response(from: request, context: context)
        } catch let error as HTTPError where error.status == .notFound {
            return Problem.notFound.response(from: request, context: context)
        } catch {
            context.logger.error("unexpected", metadata: ["error": "\(error)"])
            return Problem.unexpected.response(from: request, context: context)
        }
    }
}
