import HTTPListener
import Hummingbird
import PayrelayPrimitives

/// Matches a path as it is written, and some that end in a slash, which the others must not.
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
        // The router takes a path with a slash at its end for the same without.
        if let path = request.head.path, paths.contains(path) {
            return try await base.respond(to: request, context: context)
        }
        return try await exact.respond(to: request, context: context)
    }
}
