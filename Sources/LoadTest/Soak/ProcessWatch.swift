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

    func during<Result: Sendable>(_ work: @Sendable () async -> Result) async -> Result {
        guard let process else { return await work() }
        let start = ContinuousClock.now
        let looking = Task {
            while !Task.isCancelled {
                if let usage = ProcessUsage(of: process, at: start.duration(to: .now)) {
                    seen.withLock { $0.append(usage) }
                }
                try? await Task.sleep(for: .seconds(1))
            }
        }
        defer { looking.cancel() }
        return await work()
    }
}
