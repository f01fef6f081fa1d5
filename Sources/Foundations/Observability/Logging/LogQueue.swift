import Dispatch
import FoundationEssentials
import Glibc
import Logging
import PayrelayPrimitives
import Synchronization

/// Writes lines of the log to a file descriptor, on a thread of its own: a full pipe must not block a payment.
///
/// The queue is bounded. Lines beyond the bound are dropped and counted, and a later line says how many.
public final class LogQueue: Sendable {
    /// Of the process.
    public static let standardError = LogQueue(STDERR_FILENO)

    private struct State {
        var waiting: [UInt8] = []
        var isWriting = false
        /// Whether lines wait for ``LogQueue/release()``.
        var isHeld = false
        /// Lines that were dropped and that no line has reported yet.
        var unreported = 0

        /// Whether the writer has to begin; it has then.
        mutating func begins() -> Bool {
            guard !isHeld else { return false }
            defer { isWriting = true }
            return !isWriting
        }
    }

    /// In bytes: the lines of some thousand payments, those that are being written included.
    static let limit = 1_048_576

    /// How long a line waits for others, in microseconds.
    private static let pause: UInt32 = 5_000

    private let descriptor: Int32
    private let state = Mutex(State())
    private let writer = DispatchQueue(label: "payrelay.log")
    private let droppedLines = Atomic(0)
    /// In bytes, those that are being written included. A crash looks at it without a lock.
    private let unwritten = Atomic(0)

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// How many lines were dropped since the start.
    public var dropped: Int { droppedLines.load(ordering: .relaxed) }

    /// Whether everything that was added is written.
    var isEmpty: Bool { unwritten.load(ordering: .acquiring) == 0 }

    /// - Parameter line: with its line feed.
    public func add(_ line: [UInt8]) {
        let begins = state.withLock { state in
            guard unwritten.load(ordering: .relaxed) + line.count <= Self.limit else {
                state.unreported += 1
                droppedLines.wrappingAdd(1, ordering: .relaxed)
                return false
            }
            state.waiting += line
            unwritten.wrappingAdd(line.count, ordering: .releasing)
            return state.begins()
        }
        if begins { writer.async { self.write() } }
    }

    /// Keeps lines back until ``release()``: a program that greets its user logs afterwards.
    public func hold() { state.withLock { $0.isHeld = true } }

    /// Writes what was kept back, and what comes from now on.
    public func release() {
        let begins = state.withLock { state in
            state.isHeld = false
            return !state.waiting.isEmpty && state.begins()
        }
        if begins { writer.async { self.write() } }
    }

    /// Drops what was kept back: a program that did not start says why in its own words.
    public func dropHeld() {
        state.withLock { state in
            guard state.isHeld else { return }
            unwritten.wrappingSubtract(state.waiting.count, ordering: .releasing)
            state.waiting = []
        }
    }

    /// Releases what is held, and waits until all is written, or the limit has passed: the log's reader may have gone.
    public func flush(within limit: Duration = .seconds(2)) {
        release()
        let deadline = ContinuousClock.now + limit
        while !isEmpty, ContinuousClock.now < deadline { usleep(500) }
    }

    /// Writes what waits, as long as anything does.
    private func write() {
        // The lines that come meanwhile are written together, and none of them wakes this thread.
        usleep(Self.pause)
        while let bytes = take() {
            bytes.withUnsafeBytes { write($0) }
        }
    }

    private func take() -> [UInt8]? {
        state.withLock { state in
            if state.unreported > 0 {
                let line = Self.line(reporting: state.unreported)
                state.waiting += line
                state.unreported = 0
                unwritten.wrappingAdd(line.count, ordering: .releasing)
            }
            guard !state.waiting.isEmpty else {
                state.isWriting = false
                return nil
            }
            defer { state.waiting = [] }
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
            // Where it takes nothing, there is nowhere to report it, and the rest is lost.
            let done = written > 0 ? written : errno == EINTR ? 0 : rest.count
            unwritten.wrappingSubtract(done, ordering: .releasing)
            rest = rest.dropFirst(done)
        }
    }

    private static func line(reporting count: Int) -> [UInt8] {
        LineLogHandler.line(
            LineLogHandler.heading(.warning, logger: "payrelay", "log lines were dropped")
                + [JSONObject.Member(name: "lines", value: JSON(count))])
    }
}
