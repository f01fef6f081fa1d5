import Dispatch
import FoundationEssentials
import Glibc
import Logging
import PayrelayPrimitives
import Synchronization

/// A queue that writes the log's lines to a file descriptor on its own thread, so that a full pipe cannot block a
/// payment.
///
/// The queue is bounded. Lines that do not fit are dropped and counted, and a later line reports their number.
public final class LogQueue: Sendable {
    /// The queue for the standard error of this process.
    public static let standardError = LogQueue(STDERR_FILENO)

    private struct State {
        var waiting: [UInt8] = []
        var isWriting = false
        /// Whether lines wait for ``LogQueue/release()``.
        var isHeld = false
        /// The number of dropped lines that have not been reported yet.
        var unreported = 0

        /// Returns whether the writer has to be started, and marks it as running.
        mutating func begins() -> Bool {
            guard !isHeld else { return false }
            defer { isWriting = true }
            return !isWriting
        }
    }

    /// The limit in bytes, including the lines that are being written. It holds the lines of about a thousand
    /// payments.
    static let limit = 1_048_576

    /// How long a line waits for further lines, in microseconds.
    private static let pause: UInt32 = 5_000

    private let descriptor: Int32
    private let state = Mutex(State())
    private let writer = DispatchQueue(label: "payrelay.log")
    private let droppedLines = Atomic(0)
    /// The number of bytes that are not written yet, including those that are being written. A crash handler
    /// reads it without a lock.
    private let unwritten = Atomic(0)

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// The number of lines that were dropped since the start.
    public var dropped: Int { droppedLines.load(ordering: .relaxed) }

    /// Whether every line that was added is written.
    var isEmpty: Bool { unwritten.load(ordering: .acquiring) == 0 }

    /// Queues a line.
    ///
    /// - Parameter line: a line with its line feed.
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

    /// Holds lines back until ``release()``, so that a program can greet its user before it logs.
    public func hold() { state.withLock { $0.isHeld = true } }

    /// Writes the lines that were held back, and all further lines.
    public func release() {
        let begins = state.withLock { state in
            state.isHeld = false
            return !state.waiting.isEmpty && state.begins()
        }
        if begins { writer.async { self.write() } }
    }

    /// Drops the lines that were held back. A program that could not start reports the reason itself.
    public func dropHeld() {
        state.withLock { state in
            guard state.isHeld else { return }
            unwritten.wrappingSubtract(state.waiting.count, ordering: .releasing)
            state.waiting = []
        }
    }

    /// Releases the lines that were held back, and waits until all lines are written or the limit has passed. The
    /// limit is needed because the reader of the log may be gone.
    public func flush(within limit: Duration = .seconds(2)) {
        release()
        let deadline = ContinuousClock.now + limit
        while !isEmpty, ContinuousClock.now < deadline { usleep(500) }
    }

    /// Writes the waiting lines until there are none.
    private func write() {
        // Lines that arrive during the pause are written together, without waking this thread again.
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
                // Another process may have made the descriptor non-blocking. This thread may wait.
                var file = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&file, 1, 1_000)
                continue
            }
            // If the descriptor cannot be written, the error cannot be reported anywhere, and the rest is lost.
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
