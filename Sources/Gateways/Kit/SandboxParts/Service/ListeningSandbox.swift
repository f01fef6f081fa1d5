public import Hummingbird
public import OutboundHTTP

/// A gateway's sandbox that a listener serves, alone or with others at the same port.
public protocol ListeningSandbox: Sendable {
    /// Returns the address to which a relay sends its charges if the sandbox is served at the port.
    static func address(at port: Int) -> SandboxAddress

    /// The gateway's paths that end in a slash. Any other path that ends in a slash is unknown.
    var slashedPaths: Set<String> { get }

    /// Adds the gateway's routes, and the routes for tests.
    func addRoutes(to router: Router<SandboxRequestContext>)

    /// Runs the sandbox's background work until the task is cancelled or its service group shuts down.
    func runBeside() async
}

extension ListeningSandbox {
    public var slashedPaths: Set<String> { [] }
}
