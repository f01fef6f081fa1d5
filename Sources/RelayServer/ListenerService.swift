import ServiceLifecycle

/// A listener that stops in bounded time. Once it is to stop, clients may end what they began; what takes longer is
/// interrupted, and one that neither sends the rest of its request nor goes away is cut off. Where nothing is under way, nobody is waited for: an idle HTTP/2 client
/// does not read that it should go.
struct ListenerService<Listener: Service>: Service {
    let listener: Listener
    let address: RelayConfiguration.Listener
    /// How long clients may take to end, once the stop has begun.
    let patience: Duration
    /// What it answers at the moment; nil where that is not counted.
    var requests: RequestsUnderWay?
    /// Brings what is still under way then to its end, with whatever is known by then.
    var interrupt: @Sendable () -> Void = {}

    func run() async throws {
        try await withThrowingTaskGroup(of: ListenerEnd.self) { group in
            group.addTask {
                do {
                    try await listener.run()
                    return .listener
                } catch let error where !(error is CancellationError) {
                    throw ListenerFailure(address: address, reason: "\(error)")
                }
            }
            group.addTask {
                try await gracefulShutdown()
                try await waitForCallers()
                return .wait
            }
            let first = try await group.next()
            // The last connection may close before the end of what was answered early.
            let isCarriedOn = Task.isShuttingDownGracefully && requests.map { $0.count > 0 } ?? false
            if first == .listener, isCarriedOn { _ = try await group.next() }
            group.cancelAll()
        }
    }

    private func waitForCallers() async throws {
        if try await callersAreDone(within: patience) { return }
        interrupt()
        _ = try await callersAreDone(within: Self.timeToSettle)
    }

    private func callersAreDone(within limit: Duration) async throws -> Bool {
        let deadline = ContinuousClock.now + limit
        var lastBusy = ContinuousClock.now
        while ContinuousClock.now < deadline {
            if ContinuousClock.now >= lastBusy + Self.lastWords { return true }
            try await Task.sleep(for: .milliseconds(50))
            if requests.map({ $0.count > 0 }) ?? true { lastBusy = .now }
        }
        return false
    }

    /// For what was interrupted to be journaled and answered.
    private static var timeToSettle: Duration { .seconds(5) }

    /// For the answers to be written out after the last request.
    private static var lastWords: Duration { .seconds(2) }
}

/// What a stop was waiting for.
private enum ListenerEnd {
    /// Its last connection is closed.
    case listener
    /// What was under way has ended, or its time has.
    case wait
}

/// Why a listener does not listen.
struct ListenerFailure: Error, CustomStringConvertible {
    let address: RelayConfiguration.Listener
    let reason: String

    var description: String { "cannot listen at \(address.host):\(address.port): \(reason)" }
}
