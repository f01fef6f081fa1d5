import Glibc

extension LogQueue {
    /// Writes the lines that wait for standard error when the process exits or crashes.
    ///
    /// - Parameter signals: the signals of a crash. The previous handler of each signal runs afterwards.
    public static func flushAtTheEnd(andAfter signals: [Int32]) {
        // Creates the queue now, because a signal handler must not create it.
        _ = standardError.isEmpty
        atexit { LogQueue.standardError.flush() }
        for number in signals { CrashHandlers.install(for: number) }
    }
}

/// Signal handlers in which the crashing thread waits for the log's writer, for at most 200 ms.
private enum CrashHandlers {
    /// The previous handlers of the signals, by signal number.
    ///
    /// Safe: written once, at the start. A signal handler, which must not take a lock, only reads it.
    nonisolated(unsafe) private static let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)

    static func install(for number: Int32) {
        guard (1...64).contains(number) else { return }
        var action = sigaction()
        action.sa_flags = SA_SIGINFO | SA_ONSTACK
        action.__sigaction_handler.sa_sigaction = { number, information, _ in
            // Calls only functions that a signal handler may call: no locks and no allocations.
            var pause = timespec(tv_sec: 0, tv_nsec: 1_000_000)
            for _ in 0..<200 where !LogQueue.standardError.isEmpty { nanosleep(&pause, nil) }
            sigaction(number, CrashHandlers.previous + Int(number), nil)
            // After this handler returns, a faulting instruction runs and faults again. A signal that a process
            // sent must be raised again.
            if (information?.pointee.si_code ?? 0) <= 0 { raise(number) }
        }
        sigaction(number, &action, previous + Int(number))
    }
}
