import Glibc

extension LogQueue {
    /// Writes what waits for standard error when the process exits or crashes.
    ///
    /// - Parameter signals: of a crash. The earlier handler of each runs afterwards.
    public static func flushAtTheEnd(andAfter signals: [Int32]) {
        // Made here, because a signal handler must not make it.
        _ = standardError.isEmpty
        atexit { LogQueue.standardError.flush() }
        for number in signals { CrashHandlers.install(for: number) }
    }
}

/// The crashing thread waits for the log's writer, for 200 ms at most.
private enum CrashHandlers {
    /// Earlier handlers of the signals, by the signal's number.
    ///
    /// Safe: written once, at the start; a signal handler, which may take no lock, only reads it.
    nonisolated(unsafe) private static let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)

    static func install(for number: Int32) {
        guard (1...64).contains(number) else { return }
        var action = sigaction()
        action.sa_flags = SA_SIGINFO | SA_ONSTACK
        action.__sigaction_handler.sa_sigaction = { number, information, _ in
            // Only what a signal handler may call: no lock, no allocation.
            var pause = timespec(tv_sec: 0, tv_nsec: 1_000_000)
            for _ in 0..<200 where !LogQueue.standardError.isEmpty { nanosleep(&pause, nil) }
            sigaction(number, CrashHandlers.previous + Int(number), nil)
            // A faulting instruction runs again after this, and faults again. A signal that a process sent has to be raised again.
            if (information?.pointee.si_code ?? 0) <= 0 { raise(number) }
        }
        sigaction(number, &action, previous + Int(number))
    }
}
