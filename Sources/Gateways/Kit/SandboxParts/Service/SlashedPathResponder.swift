import HTTPListener
import Hummingbird
import PayrelayPrimitives

/// Matches paths exactly. Only the given paths may end in a slash.
struct SlashedPathResponder<Base: HTTPResponder>: HTTPResponder {
    typealias Context = Base.Context

    private let base: Base
    private let exact: ExactPathResponder<Base>
    private let paths: Set<String>

    init(_ base: Base, paths: Set<String>) {
        self.base = base
        exact = ExactPathResponder(base)
        self.paths = paths
    }

    func respond(to request: Request, context: Context) async throws -> Response {
        // The router treats a path with a slash at its end like one without.
        if let path = request.head.path, paths.contains(path) {
            return try await base.respond(to: request, context: context)
        }
        return try await exact.respond(to: request, context: context)
    }
}
