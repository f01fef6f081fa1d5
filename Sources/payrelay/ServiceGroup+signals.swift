import Logging
import ServiceLifecycle
import UnixSignals

extension ServiceGroup {
    /// A group that stops gracefully on SIGTERM and SIGINT, and with the first of its services that ends.
    init(stoppingOnSignals services: [any Service], logger: Logger) {
        self.init(
            configuration: .init(services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    }
}
