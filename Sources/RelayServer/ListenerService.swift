import ServiceLifecycle

/// A listener that stops in bounded time. Once it is to stop, callers may end what they began; one that neither sends the
/// rest of its request nor goes away is cut off.
struct ListenerService<Listener: Service>: Service {
    let listener: Listener
    let address: RelayConfiguration.Listener
    /// How long callers may take to end, once the stop has begun.
    let patience: Duration

    func run() async throws {
        try await withThrowingTaskGroup { group in
            group.addTask {
                do {
                    try await listener.run()
                } catch let error where !(error is CancellationError) {
                    throw ListenerFailure(address: address, reason: "\(error)")
                }
            }
            group.addTask {
                try await gracefulShutdown()
                try await Task.sleep(for: patience)
            }
            try await group.next()
            group.cancelAll()
        }
    }
}

/// Why a listener does not listen.
struct ListenerFailure: Error, CustomStringConvertible {
    let address: RelayConfiguration.Listener
    let reason: String

    var description: String { "cannot listen at \(address.host):\(address.port): \(reason)" }
}
