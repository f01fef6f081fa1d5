import Dispatch

/// Runs an actor's work on a thread of its own, so that it may block: Swift's cooperative threads are few, and one that
/// sleeps in libpq would be missing everywhere else.
final class BlockingExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
