import Dispatch
import FoundationEssentials
import Glibc
import PayrelayPrimitives
import Synchronization

/// Lines of the log on their way to a file descriptor. Whoever logs never waits for it: a pipe that nobody reads would stop payments.
///
/// What waits is bounded. Lines beyond are dropped and counted; once there is room again, a line of the log says how many they were.
public final class LogQueue: Sendable {
    /// Of the process.
    public static let standardError = LogQueue(STDERR_FILENO)

    private struct State {
        var waiting: [UInt8] = []
        var isWriting = false
        /// Since the log told of any.
        var untold = 0
    }

    /// In bytes: the lines of some thousand payments.
    public static let limit = 1_048_576

    private let descriptor: Int32
    private let state = Mutex(State())
    private let writer = DispatchQueue(label: "payrelay.log")
    private let droppedLines = Atomic(0)
    /// In bytes, those that are being written included. A crash looks at it without a lock.
    private let unwritten = Atomic(0)

    public init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// How many lines were dropped since the start.
    public var dropped: Int { droppedLines.load(ordering: .relaxed) }

    /// Whether everything that was added is written.
    public var isEmpty: Bool { unwritten.load(ordering: .acquiring) == 0 }

    /// - Parameter line: with its line feed.
    public func add(_ line: [UInt8]) {
        let begins = state.withLock { state in
            guard state.waiting.count + line.count <= Self.limit else {
                state.untold += 1
                droppedLines.wrappingAdd(1, ordering: .relaxed)
                return false
            }
            state.waiting += line
            unwritten.wrappingAdd(line.count, ordering: .releasing)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if begins { writer.async { self.write() } }
    }

    /// Waits until all is written, or the limit has passed: the log's reader may have gone.
    public func flush(within limit: Duration = .seconds(2)) {
        let deadline = ContinuousClock.now + limit
        while !isEmpty, ContinuousClock.now < deadline { usleep(500) }
    }

    /// Writes what waits, as long as anything does.
    private func write() {
        while let bytes = take() {
            bytes.withUnsafeBytes { write($0) }
            unwritten.wrappingSubtract(bytes.count, ordering: .releasing)
        }
    }

    private func take() -> [UInt8]? {
        state.withLock { state in
            if state.untold > 0 {
                let line = Self.line(tellingOf: state.untold)
                state.waiting += line
                state.untold = 0
                unwritten.wrappingAdd(line.count, ordering: .releasing)
            }
            guard !state.waiting.isEmpty else {
                state.isWriting = false
                return nil
            }
            defer { state.waiting.removeAll(keepingCapacity: state.waiting.count < 65_536) }
            return state.waiting
        }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if written < 0, errno == EAGAIN {
                // Somebody made the descriptor non-blocking; this thread may wait.
                var file = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&file, 1, 1_000)
                continue
            }
            // Where it takes nothing, there is nowhere to report it.
            guard written > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(0, written))
        }
    }

    private static func line(tellingOf count: Int) -> [UInt8] {
        var line = JSONWriter(isASCII: true)
        line.write([
            ("time", .string(Date().rfc3339InMilliseconds)), ("level", "warning"), ("logger", "payrelay"),
            ("message", "log lines were dropped"), ("lines", JSON(count)),
        ])
        line.endLine()
        return line.bytes
    }
}

extension LogQueue {
    /// Has the log of a process written to its end: when it exits, and when it crashes.
    ///
    /// - Parameter signals: of a crash. What handled each before handles it afterwards.
    public static func flushAtTheEnd(andAfter signals: [Int32]) {
        _ = standardError.isEmpty
        atexit { LogQueue.standardError.flush() }
        for number in signals { CrashHandlers.install(for: number) }
    }
}

/// A thread that crashes lets the others go on for a moment, so that the log's writer comes to its end.
private enum CrashHandlers {
    /// What handled a signal before, by its number. It is written once, before anything can crash, and read in a signal handler, where
    /// no lock can be taken.
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
            // A fault happens again as soon as this returns; what somebody sent does not.
            if (information?.pointee.si_code ?? 0) <= 0 { raise(number) }
        }
        sigaction(number, &action, previous + Int(number))
    }
}
