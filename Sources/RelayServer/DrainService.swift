import Logging
import ServiceLifecycle
import Synchronization

/// The first to hear of a stop: from then on the instance is not ready, and for a while it takes requests all the same, until
/// whoever hands them out has noticed. The listeners close afterwards.
final class DrainService: Service, Sendable {
    private let pause: Duration
    private let logger: Logger
    private let hasBegun = Atomic(false)

    /// - Parameter pause: until the listeners close.
    init(pause: Duration, logger: Logger) {
        self.pause = pause
        self.logger = logger
    }

    var isDraining: Bool { hasBegun.load(ordering: .relaxed) }

    func run() async throws {
        try await gracefulShutdown()
        hasBegun.store(true, ordering: .relaxed)
        logger.notice("draining", metadata: ["seconds_until_closed": "\(pause.components.seconds)"])
        try await Task.sleep(for: pause)
    }
}
