import ServiceLifecycle

/// A listener that stops in bounded time. Once it is to stop, callers may end what they began; one that neither sends the
/// rest of its request nor goes away is cut off. Where nothing is under way, nobody is waited for: an idle HTTP/2 client
/// does not read that it should go.
struct ListenerService<Listener: Service>: Service {
    let listener: Listener
    let address: RelayConfiguration.Listener
    /// How long callers may take to end, once the stop has begun.
    let patience: Duration
    /// What it answers at the moment; nil where that is not counted.
    var requests: RequestsUnderWay?

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
                try await waitForCallers()
            }
            try await group.next()
            group.cancelAll()
        }
    }

    private func waitForCallers() async throws {
        let deadline = ContinuousClock.now + patience
        var lastBusy = ContinuousClock.now
        while ContinuousClock.now < deadline, ContinuousClock.now < lastBusy + Self.lastWords {
            try await Task.sleep(for: .milliseconds(50))
            if requests.map({ $0.count > 0 }) ?? true { lastBusy = .now }
        }
    }

    /// For the answers to be written out after the last request.
    private static var lastWords: Duration { .seconds(2) }
}

/// Why a listener does not listen.
struct ListenerFailure: Error, CustomStringConvertible {
    let address: RelayConfiguration.Listener
    let reason: String

    var description: String { "cannot listen at \(address.host):\(address.port): \(reason)" }
}
