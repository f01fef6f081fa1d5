public import Logging
public import ServiceLifecycle
import Synchronization

/// The first service to be stopped. From then on the instance is not ready; it still takes requests for a while, until the load
/// balancer has noticed. The listeners close afterwards.
public final class DrainService: Service, Sendable {
    private let pause: Duration
    private let logger: Logger
    private let hasBegun = Atomic(false)

    /// - Parameter pause: until the listeners close.
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
