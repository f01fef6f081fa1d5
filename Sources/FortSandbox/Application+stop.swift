import Hummingbird
import ServiceLifecycle

extension ApplicationProtocol {
    /// Serves until the graceful shutdown of its service group, and no longer than so after it. By itself it would wait for
    /// every connection: a caller that sends half of a request would hold it up for ever.
    func run(stoppingWithin patience: Duration) async throws {
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
