import HTTPTypes
import Hummingbird

/// The public routes, as a table: what is not in it is 404, another method on a path that is in it 405.
struct RelayRouter {
    struct Route {
        let method: HTTPRequest.Method
        let path: RouterPath
        let respond: @Sendable (Request, RelayRequestContext) async throws -> Response
    }

    static func make(_ routes: [Route]) -> Router<RelayRequestContext> {
        let router = Router(context: RelayRequestContext.self)
        router.add(middleware: RequestLogMiddleware())
        router.add(middleware: ResponseHeadersMiddleware())
        router.add(middleware: ProblemMiddleware())
        for route in routes { router.on(route.path, method: route.method, use: route.respond) }
        for (path, taken) in Dictionary(grouping: routes, by: \.path.description) {
            let allowed = taken.map(\.method)
            for method in Self.methods where !allowed.contains(method) {
                router.on(RouterPath(path), method: method) { _, _ -> Response in
                    throw Problem.methodNotAllowed(allowed.map(\.rawValue))
                }
            }
        }
        return router
    }

    private static let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options]
}
