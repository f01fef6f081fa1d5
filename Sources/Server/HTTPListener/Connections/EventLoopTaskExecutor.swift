public import NIOCore

/// Runs tasks on an event loop: a connection's requests are answered where the connection is served, and no other thread is woken
/// for them. What such a task computes must not take long, and must not block.
public final class EventLoopTaskExecutor: TaskExecutor {
    private let loop: any EventLoop

    public init(_ loop: any EventLoop) {
        self.loop = loop
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
