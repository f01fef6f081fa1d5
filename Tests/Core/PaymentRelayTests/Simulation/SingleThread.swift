import Synchronization

/// An executor that runs every job of the simulated world on the thread that calls ``runReadyJobs()``, in an order that the
/// seed decides. The tasks of a real process may run in any of these orders, too.
final class SingleThread: TaskExecutor {
    private let ready = Mutex<[UnownedJob]>([])
    private let chance: Chance

    init(chance: Chance) {
        self.chance = chance
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        ready.withLock { $0.append(job) }
    }

    func runReadyJobs() {
        while let job = takeOne() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    private func takeOne() -> UnownedJob? {
        ready.withLock { jobs in
            switch jobs.count {
            case 0: nil
            case 1: jobs.removeLast()
            default: jobs.remove(at: chance.number(in: 0...jobs.count - 1))
            }
        }
    }
}
