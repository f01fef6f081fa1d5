#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A pipe to oneself: what any thread writes wakes the one that waits for its other end.
final class Wakeup: Sendable {
    let reading: Int32
    private let writing: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            // Safe to end the process: this runs when a client is made, before any request.
            fatalError(
                "a pipe could not be had, without which nothing can be sent: \(String(cString: strerror(errno)))")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// Rings until it is silenced. Where the pipe is full it rings already.
    func ring() {
        var byte: UInt8 = 0
        _ = write(writing, &byte, 1)
    }

    func silence() {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { bytes in
            while read(reading, bytes.baseAddress, bytes.count) == bytes.count {}
        }
    }
}
