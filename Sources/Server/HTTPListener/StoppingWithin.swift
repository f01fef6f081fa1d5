package import Hummingbird
import ServiceLifecycle

extension ApplicationProtocol {
    /// Serves until the graceful shutdown of its service group begins, and for at most `patience` after that.
    /// Plain `run()` waits for every connection: a client that sends half of a request would keep it running for
    /// ever.
    ///
    /// - Parameters:
    ///   - address: the address that the application listens on, for the error.
    ///   - patience: the time that clients have to finish.
    /// - Throws: ``ListenerFailure`` if the application cannot listen on its address.
    package func run(at address: ListenerAddress, stoppingWithin patience: Duration) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.run(at: address) }
            group.addTask {
                try await gracefulShutdown()
                try await Task.sleep(for: patience)
            }
            // Whichever task ends first. An error of the server is rethrown.
            try await group.next()
            group.cancelAll()
        }
    }

    /// Runs the application until it has stopped.
    ///
    /// - Throws: ``ListenerFailure`` if the application cannot listen on its address.
    func run(at address: ListenerAddress) async throws {
        do {
            try await run()
        } catch let error where !(error is CancellationError) {
            throw ListenerFailure(address: address, error: error)
        }
    }
}
