import Hummingbird
import Logging
import PaymentRelay

/// Turns whatever was thrown into problem details, so that every error of this service has one shape. What is neither
/// a ``Problem`` nor the router's own "not found" is a bug: its text goes to the log, not to the client.
struct ProblemMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let problem as Problem {
            return problem.response
        } catch JournalError.unreadable {
            return Problem.recordUnreadable.response
        } catch let error as HTTPError where error.status == .notFound {
            return Problem.notFound.response
        } catch {
            context.logger.error("unexpected", metadata: ["error": "\(error)"])
            return Problem.unexpected.response
        }
    }
}
