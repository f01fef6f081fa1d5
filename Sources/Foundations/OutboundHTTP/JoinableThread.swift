import Glibc

/// A system thread that can be waited for. The curl thread blocks until a socket is ready, which a Swift task
/// must not do.
struct JoinableThread: Sendable {
    private final class Work: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private let identifier: pthread_t

    /// Starts the thread. Returns `nil` if the system allows no more threads.
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

    /// Waits for the thread to end. Must be called exactly once.
    func join() {
        pthread_join(identifier, nil)
    }

    /// Makes a write to a connection that the peer has closed fail, instead of ending the process.
    private static func blockBrokenPipeSignal() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
