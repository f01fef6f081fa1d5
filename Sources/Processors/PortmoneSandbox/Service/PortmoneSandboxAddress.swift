import SandboxParts

/// Where a sandbox of this process listens: always on loopback. Only a sandbox that listens has one.
public struct PortmoneSandboxAddress: Sendable, Equatable {
    public let port: Int

    /// - Parameter port: of the listener that serves the sandbox, its own or one that it shares.
    package init(port: Int) {
        self.port = port
    }

    /// Where `path` takes requests.
    public func url(of path: GatewayPath = .r3) -> String {
        "http://\(SandboxListener.host):\(port)\(path.rawValue)"
    }
}
