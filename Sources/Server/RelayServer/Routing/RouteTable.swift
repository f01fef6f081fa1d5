import HTTPListener
import HTTPTypes
import PayrelayPrimitives

/// The routes by their paths. Hummingbird's router, with the sequence as its middleware, took a payment 5 % more CPU.
struct RouteTable: Sendable {
    /// The routes of a path by their methods.
    struct Path: Sendable {
        /// For log, metrics and rules: `/v1/payments/{merchant_reference}`.
        let name: String
        private var routes: [HTTPRequest.Method: Route] = [:]
        private var allowed: [HTTPRequest.Method] = []

        fileprivate init(name: String) { self.name = name }

        fileprivate mutating func add(_ route: Route) {
            // A resource that takes GET takes HEAD (RFC 9110, 9.1).
            for method in route.method == .get ? [.get, .head] : [route.method] {
                routes[method] = route
                allowed.append(method)
            }
        }

        /// - Throws: ``Problem`` 405.
        func route(for method: HTTPRequest.Method) throws(Problem) -> Route {
            guard let route = routes[method] else { throw .methodNotAllowed(allowed.map(\.rawValue)) }
            return route
        }
    }

    private var paths: [String: Path] = [:]
    /// Paths with a parameter, and what is written before and behind it.
    private var patterns: [(beginning: String, end: String, path: Path)] = []

    /// - Parameter routes: the path of each has at most one parameter.
    init(_ routes: [Route]) {
        for route in routes {
            let (beginning, rest) = route.name.cut(at: "{")
            if let place = patterns.firstIndex(where: { $0.path.name == route.name }) {
                patterns[place].path.add(route)
            } else if let end = rest?.cut(at: "}").after {
                var path = Path(name: route.name)
                path.add(route)
                patterns.append((String(beginning), String(end), path))
            } else {
                paths[route.name, default: Path(name: route.name)].add(route)
            }
        }
    }

    /// - Parameter target: the path as it was sent, with its query.
    /// - Returns: nil where there is no such path; the parameter as it was written, empty where the path has none.
    func path(of target: String?) -> (path: Path, parameter: String)? {
        guard let sent = target?.cut(at: "?").before else { return nil }
        if let path = paths[String(sent)] { return (path, "") }
        guard ExactPath.isExact(target) else { return nil }
        for pattern in patterns {
            guard let rest = sent.after(pattern.beginning), rest.ends(with: pattern.end) else { continue }
            let parameter = rest.utf8.dropLast(pattern.end.utf8.count)
            guard !parameter.isEmpty, !parameter.contains(UInt8(ascii: "/")) else { continue }
            return (pattern.path, String(Substring(parameter)))
        }
        return nil
    }
}
