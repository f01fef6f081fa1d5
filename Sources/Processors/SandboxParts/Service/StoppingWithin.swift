package import Hummingbird
import ServiceLifecycle

extension ApplicationProtocol {
    /// Serves until the graceful shutdown of its service group, and for this long after it at the most. `run()` alone waits for
    /// every connection: a client that sends half of a request would keep it running for ever.
    package func run(stoppingWithin patience: Duration) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await self.run() }
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
