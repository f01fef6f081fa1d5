import Foundation
package import Logging
package import ServiceLifecycle
import UnixSignals

extension ServiceGroup {
    /// Creates a group that stops gracefully on SIGTERM, on SIGINT, and when the first of its services ends.
    package init(stoppingOnSignals services: [any Service], logger: Logger) {
        self.init(
            configuration: .init(services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    }
}

/// Ends this process immediately when its standard input ends. A server that was started for a load test must not
/// outlive the load test, even if that is killed.
package func endWithInput() {
    let reader = Thread {
        var bytes = [UInt8](repeating: 0, count: 64)
        while true {
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            guard count > 0 || (count < 0 && errno == EINTR) else { _exit(0) }
        }
    }
    reader.start()
}
