import Glibc

/// A thread of the system that can be waited for. A task of Swift's must not block; the curl thread sleeps until a socket is ready.
struct JoinableThread: Sendable {
    private final class Work: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private let identifier: pthread_t

    /// Starts the thread; nil where the system allows no other one.
    init?(running run: @escaping @Sendable () -> Void) {
        var identifier = pthread_t()
        let work = Unmanaged.passRetained(Work(run))
        let code = pthread_create(
            &identifier, nil,
            { context in
                guard let context else { return nil }
                JoinableThread.blockBrokenPipeSignal()
                Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, work.toOpaque())
        guard code == 0 else {
            work.release()
            return nil
        }
        self.identifier = identifier
    }

    /// Waits for the thread to end. Must be called once.
    func join() {
        pthread_join(identifier, nil)
    }

    /// A write to a connection that the peer has closed shall fail, not end the process.
    private static func blockBrokenPipeSignal() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
