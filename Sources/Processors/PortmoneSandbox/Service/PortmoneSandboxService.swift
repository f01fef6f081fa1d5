public import Logging
public import OutboundHTTP
import SandboxParts
public import ServiceLifecycle

/// The sandbox with a listener of its own. ``PortmoneSandbox`` can also be served beside another gateway's at one port.
public struct PortmoneSandboxService: Service {
    private let sandbox: PortmoneSandbox
    private let port: Int
    private let connectionLimit: Int
    private let logger: Logger
    private let onListening: @Sendable (SandboxAddress) async -> Void

    /// - Parameters:
    ///   - port: 0 takes any that is free.
    ///   - connectionLimit: how many connections are served at once; further ones wait.
    ///   - onListening: called with its address once connections are taken.
    public init(
        _ sandbox: PortmoneSandbox, port: Int, connectionLimit: Int = 4_096, logger: Logger,
        onListening: @escaping @Sendable (SandboxAddress) async -> Void = { _ in }
    ) {
        self.sandbox = sandbox
        self.port = port
        self.connectionLimit = connectionLimit
        self.logger = logger
        self.onListening = onListening
    }

    /// Serves until the graceful shutdown of its service group. Neither silent or late answers nor incomplete requests
    /// delay that.
    public func run() async throws {
        try await SandboxListener(port: port, connectionLimit: connectionLimit, logger: logger)
            .run([sandbox]) { await onListening(SandboxAddress(port: $0, path: GatewayPath.r3.rawValue)) }
    }
}

extension PortmoneSandbox {
    /// Where it takes requests, served beside another gateway's sandbox.
    package static func address(beside other: SandboxAddress) -> SandboxAddress {
        SandboxAddress(port: other.port, path: GatewayPath.r3.rawValue)
    }
}
