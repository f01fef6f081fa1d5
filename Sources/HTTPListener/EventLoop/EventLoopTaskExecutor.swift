import NIOCore

/// Runs tasks on an event loop: what a request begins goes on where its connection is served, and no other thread is woken for it.
/// Such a task must not block, nor compute for long.
final class EventLoopTaskExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) {
        self.loop = loop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
