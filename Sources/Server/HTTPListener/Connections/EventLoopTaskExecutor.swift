public import NIOCore

/// A task executor that runs its tasks on an event loop. With it, a connection's requests are answered on the
/// event loop that serves the connection, without waking another thread. Such tasks must not block or compute for
/// long.
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
