import Glibc

/// A file without a name that many bytes are put into and read back from, in any order. It is gone with the last reference.
final class SpoolFile: Sendable {
    private let descriptor: Int32

    /// - Parameter folder: where there is room for it.
    init(in folder: String) throws(SpoolError) {
        // mkstemp(3) replaces the six letters at the end, which must be X.
        var path = Array("\(folder)/payrelay-load-\(String(repeating: "X", count: 6))".utf8CString)
        descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw SpoolError(doing: "create a file in \(folder)") }
        unlink(path)
        // Not for the programs that this one starts.
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

/// The system would not do what was asked of it.
struct SpoolError: Error, CustomStringConvertible {
    let description: String

    /// For the present `errno`.
    init(doing what: String) {
        description = "cannot \(what): \(String(cString: strerror(errno)))"
    }
}
