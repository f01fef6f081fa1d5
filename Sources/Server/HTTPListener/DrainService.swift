public import Logging
public import ServiceLifecycle
import Synchronization

/// The service that stops first when the process shuts down. From then on the instance reports that it is not
/// ready, but still accepts requests until the load balancer has noticed. Only then do the listeners close.
public final class DrainService: Service, Sendable {
    private let pause: Duration
    private let logger: Logger
    private let hasBegun = Atomic(false)

    /// - Parameter pause: the time between the beginning of the shutdown and the closing of the listeners.
    public init(pause: Duration, logger: Logger) {
        self.pause = pause
        self.logger = logger
    }

    public var isDraining: Bool { hasBegun.load(ordering: .relaxed) }

    public func run() async throws {
        try await gracefulShutdown()
        hasBegun.store(true, ordering: .relaxed)
        logger.notice("draining", metadata: ["seconds_until_closed": "\(pause.components.seconds)"])
        try await Task.sleep(for: pause)
    }
}
