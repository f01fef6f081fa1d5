import Synchronization

/// Looks at a process each second while something goes on.
final class ProcessWatch: Sendable {
    private let process: Int32?
    private let seen = Mutex<[ProcessUsage]>([])

    /// - Parameter process: nil sees nothing.
    init(of process: Int32?) {
        self.process = process
    }

    var usage: [ProcessUsage] { seen.withLock { $0 } }

    /// Looks at the beginning, each second, and at the end.
    func during<Result: Sendable>(_ work: @Sendable () async -> Result) async -> Result {
        let start = ContinuousClock.now
        look(since: start)
        let looking = Task {
            while (try? await Task.sleep(for: .seconds(1))) != nil { look(since: start) }
        }
        let result = await work()
        looking.cancel()
        await looking.value
        look(since: start)
        return result
    }

    private func look(since start: ContinuousClock.Instant) {
        guard let process, let usage = ProcessUsage(of: process, at: start.duration(to: .now)) else { return }
        seen.withLock { $0.append(usage) }
    }
}
