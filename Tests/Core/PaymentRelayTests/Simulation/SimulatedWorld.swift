import Synchronization

/// What everything in one simulation shares: chance, time, the thread, and the record of what happened.
final class SimulatedWorld: Sendable {
    /// Faults stop after this, so that the world can come to rest.
    let faultsEnd: Duration
    /// What is open by then stays open.
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

    /// What happened, in order.
    var trace: [String] { record.withLock { $0.trace } }
    /// What must not happen, and did.
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

    /// Starts something that is not awaited.
    func start(_ operation: @escaping @Sendable () async -> Void) {
        Task(executorPreference: thread, operation: operation)
    }

    /// Runs until nothing is left to happen.
    func run() {
        repeat { thread.runReadyJobs() } while timeline.advance()
    }
}
