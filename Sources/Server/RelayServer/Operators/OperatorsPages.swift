public import HTTPTypes
public import Hummingbird

/// Pages for operators on the admin listener, beside its probes and metrics. The same rules precede them.
public protocol OperatorsPages: Sendable {
    /// Of files that the pages load, and that are the same for everyone: they are served under any host name, so that the page that
    /// refuses a host name is a page.
    var publicPaths: Set<String> { get }

    func addRoutes(to router: Router<AdminRequestContext>)

    /// A problem as a page, in place of problem details.
    ///
    /// - Returns: nil where the request is not for a page.
    func page(about problem: Problem, for request: HTTPRequest) -> Response?
}
