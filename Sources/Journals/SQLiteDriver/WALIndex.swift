import Glibc

/// The index of a write-ahead log, only as far as it states how many frames the log has
/// (<https://www.sqlite.org/walformat.html>, 2.1).
struct WALIndex {
    let descriptor: Int32

    /// Whether the log contains every frame that the index counts. Each process that shares a log may empty it at
    /// any moment, once its frames are in the database. The index then counts no frame even before the log becomes
    /// shorter.
    func isComplete(log: Int32) -> Bool {
        for _ in 0..<100 {
            guard let counted = lengthOfLog else { return false }
            var status = stat()
            guard fstat(log, &status) == 0 else { return false }
            if Int(status.st_size) >= counted { return true }
            // The frames may have been counted before the log was emptied.
            if lengthOfLog == counted { return false }
        }
        return false
    }

    /// The length of the log in bytes, according to the index; `nil` if the index cannot be read.
    private var lengthOfLog: Int? {
        // szPage (16 bits, 1 for 65,536 bytes) and mxFrame (32 bits), in the byte order of the machine.
        var bytes = [UInt8](repeating: 0, count: 6)
        guard pread(descriptor, &bytes, 6, 14) == 6 else { return nil }
        let (pageSize, frames) = bytes.withUnsafeBytes {
            ($0.loadUnaligned(as: UInt16.self), $0.loadUnaligned(fromByteOffset: 2, as: UInt32.self))
        }
        guard frames > 0 else { return 0 }
        return 32 + Int(frames) * (24 + (pageSize == 1 ? 65_536 : Int(pageSize)))
    }
}
