package import Hummingbird
import ServiceLifecycle

extension ApplicationProtocol {
    /// Serves until the graceful shutdown of its service group, and for this long after it at the most. `run()` alone waits for
    /// every connection: a client that sends half of a request would keep it running for ever.
    ///
    /// - Parameter address: its own.
    /// - Throws: ``ListenerFailure`` where it cannot listen.
    package func run(at address: ListenerAddress, stoppingWithin patience: Duration) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.run(at: address) }
            group.addTask {
                try await gracefulShutdown()
                try await Task.sleep(for: patience)
            }
            // Whichever ends first; the server's failure to listen is thrown on.
            try await group.next()
            group.cancelAll()
        }
    }

    /// - Throws: ``ListenerFailure`` where it cannot listen.
    func run(at address: ListenerAddress) async throws {
        do {
            try await run()
        } catch let error where !(error is CancellationError) {
            throw ListenerFailure(address: address, error: error)
        }
    }
}
