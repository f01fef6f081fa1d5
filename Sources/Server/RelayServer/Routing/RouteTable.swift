import HTTPListener
import HTTPTypes
import PayrelayPrimitives

/// The routes by their paths. Hummingbird's router, with the steps as middleware, took 5 % more CPU for a
/// payment.
struct RouteTable: Sendable {
    /// The routes of a path by their methods.
    struct Path: Sendable {
        /// The path as in ``Route/path``.
        let name: String
        private var routes: [HTTPRequest.Method: Route] = [:]
        private var allowed: [HTTPRequest.Method] = []

        fileprivate init(name: String) { self.name = name }

        fileprivate mutating func add(_ route: Route) {
            // A resource that supports GET supports HEAD, too (RFC 9110, 9.1).
            for method in route.method == .get ? [.get, .head] : [route.method] {
                routes[method] = route
                allowed.append(method)
            }
        }

        /// Returns the route for a method.
        ///
        /// - Throws: ``Problem`` 405 if the path does not support the method.
        func route(for method: HTTPRequest.Method) throws(Problem) -> Route {
            guard let route = routes[method] else { throw .methodNotAllowed(allowed.map(\.rawValue)) }
            return route
        }
    }

    /// A path with a parameter, split into the texts before and after the parameter.
    private struct Pattern {
        let beginning: String
        let end: String
        /// Whether the parameter is the rest of the path.
        let isRest: Bool
        var path: Path

        func parameter(of sent: Substring) -> Substring? {
            guard let rest = sent.after(beginning), rest.ends(with: end) else { return nil }
            let parameter = rest.utf8.dropLast(end.utf8.count)
            return parameter.isEmpty || (!isRest && parameter.contains(UInt8(ascii: "/"))) ? nil : Substring(parameter)
        }
    }

    private var paths: [String: Path] = [:]
    private var patterns: [Pattern] = []

    init(_ routes: [Route]) {
        for route in routes { add(route) }
        patterns.sort { !$0.isRest && $1.isRest }
    }

    private mutating func add(_ route: Route) {
        if let place = patterns.firstIndex(where: { $0.path.name == route.path }) {
            return patterns[place].path.add(route)
        }
        let isRest = route.path.ends(with: "/**")
        let (beginning, rest) = isRest ? (Substring(route.path.utf8.dropLast(2)), "}") : route.path.cut(at: "{")
        guard let end = rest?.cut(at: "}").after else {
            return paths[route.path, default: Path(name: route.path)].add(route)
        }
        var path = Path(name: route.path)
        path.add(route)
        patterns.append(Pattern(beginning: String(beginning), end: String(end), isRest: isRest, path: path))
    }

    /// Returns the matching path, and the parameter as it was sent, which is empty if the path has none. Returns
    /// `nil` if no path matches.
    ///
    /// - Parameter target: the path as it was sent, with its query.
    func path(of target: String?) -> (path: Path, parameter: String)? {
        guard let sent = target?.cut(at: "?").before else { return nil }
        if let path = paths[String(sent)] { return (path, "") }
        guard ExactPath.isExact(target) else { return nil }
        for pattern in patterns {
            if let parameter = pattern.parameter(of: sent) { return (pattern.path, String(parameter)) }
        }
        return nil
    }
}
