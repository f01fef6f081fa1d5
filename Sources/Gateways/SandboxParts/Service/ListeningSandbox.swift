public import Hummingbird
public import OutboundHTTP

/// A gateway's sandbox, as a listener serves it: alone, or several at one port.
public protocol ListeningSandbox: Sendable {
    /// Where a relay sends its charges, once the sandbox is served at the port.
    static func address(at port: Int) -> SandboxAddress

    /// Paths that end in a slash, as the gateway has them; every other path that does is unknown.
    var slashedPaths: Set<String> { get }

    /// Adds the gateway's routes, and those for tests.
    func addRoutes(to router: Router<SandboxRequestContext>)

    /// Runs the sandbox's background work until the task is cancelled or its service group shuts down.
    func runBeside() async
}

extension ListeningSandbox {
    public var slashedPaths: Set<String> { [] }
}
