#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A thread of the system that can be waited for. Swift's own tasks must not block; this one sleeps until a socket is ready.
///
/// Safe to send: it holds an identifier, which never changes. Darwin declares it as a pointer, so that the compiler cannot tell.
struct JoinableThread: @unchecked Sendable {
    private final class Work: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private let identifier: pthread_t

    /// Starts the thread; nil where the system has no room for another.
    init?(running run: @escaping @Sendable () -> Void) {
        #if canImport(Darwin)
        var identifier: pthread_t?
        #else
        var identifier = pthread_t()
        #endif
        let work = Unmanaged.passRetained(Work(run))
        let code = pthread_create(
            &identifier, nil,
            { context in
                let context: UnsafeMutableRawPointer? = context
                guard let context else { return nil }
                JoinableThread.blockBrokenPipeSignal()
                Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, work.toOpaque())
        guard code == 0 else {
            work.release()
            return nil
        }
        #if canImport(Darwin)
        guard let identifier else { return nil }
        #endif
        self.identifier = identifier
    }

    /// Waits for the thread to end. Must be called once.
    func join() {
        pthread_join(identifier, nil)
    }

    /// To write to a connection that the other side has closed is an error to report, not a reason to die.
    private static func blockBrokenPipeSignal() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
