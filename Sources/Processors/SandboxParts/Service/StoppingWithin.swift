package import HTTPListener
package import Hummingbird
import ServiceLifecycle

extension ApplicationProtocol {
    /// Serves until the graceful shutdown of its service group, and for this long after it at the most. `run()` alone waits for
    /// every connection: a client that sends half of a request would keep it running for ever.
    ///
    /// - Parameter address: its own, for ``ListenerFailure``.
    package func run(at address: ListenerAddress, stoppingWithin patience: Duration) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    try await self.run()
                } catch let error where !(error is CancellationError) {
                    throw ListenerFailure(address: address, reason: "\(error)")
                }
            }
            group.addTask {
                try await gracefulShutdown()
                try await Task.sleep(for: patience)
            }
            // Whichever ends first; the server's failure to listen is thrown on.
            try await group.next()
            group.cancelAll()
        }
    }
}
