import Glibc

/// An unnamed file for large data that can be written and read in any order. It is deleted with the last
/// reference.
final class SpoolFile: Sendable {
    private let descriptor: Int32

    /// - Parameter folder: a folder with room for the file.
    init(in folder: String) throws(SpoolError) {
        // mkstemp(3) replaces the last six letters, which must be X.
        var path = Array("\(folder)/payrelay-load-\(String(repeating: "X", count: 6))".utf8CString)
        descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw SpoolError(doing: "create a file in \(folder)") }
        unlink(path)
        // Child processes must not inherit the descriptor.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(descriptor) }

    func write(_ bytes: [UInt8], at offset: Int) throws(SpoolError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done, off_t(offset + done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SpoolError(doing: "keep the minted payments on disk") }
            done += count
        }
    }

    func read(_ range: Range<Int>) throws(SpoolError) -> [UInt8] {
        var done = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, initialized in
            while done < range.count {
                let count = pread(
                    descriptor, buffer.baseAddress.map { $0 + done }, range.count - done, off_t(range.lowerBound + done)
                )
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                done += count
            }
            initialized = done
        }
        guard done == range.count else { throw SpoolError(doing: "read the minted payments back") }
        return bytes
    }
}

/// The error if a system call failed.
struct SpoolError: Error, CustomStringConvertible {
    let description: String

    /// Creates the error for the current `errno`.
    init(doing what: String) {
        description = "cannot \(what): \(String(cString: strerror(errno)))"
    }
}
