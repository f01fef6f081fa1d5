import HTTPListener
import Hummingbird
public import Logging
import NIOCore
import OutboundHTTP
public import ServiceLifecycle

/// Serves the sandboxes of gateways at one port, on loopback.
public struct SandboxService: Service {
    private let sandboxes: [any ListeningSandbox]
    private let port: Int
    private let connectionLimit: Int?
    private let logger: Logger
    private let onListening: @Sendable (Int) async -> Void

    /// - Parameters:
    ///   - port: the port; 0 for any free port.
    ///   - connectionLimit: the maximum number of connections that are served at the same time; `nil` for no
    ///     limit. Further connections wait. If there is a limit, a connection without a request for a minute is
    ///     closed.
    ///   - onListening: called with the port when connections are accepted.
    public init(
        _ sandboxes: [any ListeningSandbox], port: Int, connectionLimit: Int? = nil, logger: Logger,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) {
        self.sandboxes = sandboxes
        self.port = port
        self.connectionLimit = connectionLimit
        self.logger = logger
        self.onListening = onListening
    }

    /// Serves requests until the graceful shutdown of its service group. Silent or late answers and incomplete
    /// requests do not delay the shutdown.
    public func run() async throws {
        let router = Router(context: SandboxRequestContext.self)
        router.add(
            middleware: CrossSiteMiddleware(CrossSiteRule(hosts: AllowedHosts([SandboxAddress.host]))) {
                Response(refusing: $0)
            })
        for sandbox in sandboxes { sandbox.addRoutes(to: router) }
        let application = Application(
            responder: SlashedPathResponder(
                router.buildResponder(), paths: sandboxes.reduce(into: []) { $0.formUnion($1.slashedPaths) }),
            server: .http1(configuration: .init(idleTimeout: connectionLimit == nil ? nil : .seconds(60))),
            configuration: .init(
                address: .hostname(SandboxAddress.host, port: port),
                availableConnectionsDelegate: connectionLimit.map { .maximum($0, logger: logger) }),
            onServerRunning: { [port, onListening] in await onListening($0.localAddress?.port ?? port) },
            logger: logger)
        try await withThrowingTaskGroup { group in
            for sandbox in sandboxes { group.addTask { await sandbox.runBeside() } }
            try await application.run(
                at: ListenerAddress(host: SandboxAddress.host, port: port), stoppingWithin: .seconds(2))
            group.cancelAll()
        }
    }
}
