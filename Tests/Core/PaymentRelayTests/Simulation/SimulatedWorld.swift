import Synchronization

/// The shared parts of one simulation: chance, time, the thread, and the record of events.
final class SimulatedWorld: Sendable {
    /// The time after which no fault begins, so that the world can come to rest.
    let faultsEnd: Duration
    /// The time until which a payment may stay open. A payment that is open then would stay open for ever.
    var patience: Duration { faultsEnd + .seconds(9_760) }

    let chance: Chance
    let rates: FaultRates
    let timeline = Timeline()
    let thread: SingleThread
    private let record = Mutex<(trace: [String], findings: [String])>(([], []))

    init(seed: UInt64, faultsEnd: Duration) {
        self.faultsEnd = faultsEnd
        chance = Chance(seed: seed)
        rates = FaultRates(chance: chance)
        thread = SingleThread(chance: chance)
    }

    /// The events in order.
    var trace: [String] { record.withLock { $0.trace } }
    /// The events that must not happen.
    var findings: [String] { record.withLock { $0.findings } }

    func note(_ text: String) {
        let line = "\(timeline.now.components.seconds)s \(text)"
        record.withLock { $0.trace.append(line) }
    }

    func found(_ text: String) {
        note("FOUND: \(text)")
        record.withLock { $0.findings.append(text) }
    }

    func strikes(_ rate: any KeyPath<FaultRates, Double> & Sendable) -> Bool {
        timeline.now < faultsEnd && chance.happens(rates[keyPath: rate])
    }

    func pause(milliseconds: ClosedRange<Int>) async {
        await timeline.sleep(chance.duration(in: milliseconds))
    }

    /// Starts an operation without waiting for it.
    func start(_ operation: @escaping @Sendable () async -> Void) {
        Task(executorPreference: thread, operation: operation)
    }

    /// Runs until no event is left.
    func run() {
        repeat { thread.runReadyJobs() } while timeline.advance()
    }
}
