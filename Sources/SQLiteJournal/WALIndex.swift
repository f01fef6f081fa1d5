import Glibc

/// The index of a write-ahead log, as far as it tells how many frames the log has
/// (<https://www.sqlite.org/walformat.html>, 2.1).
struct WALIndex {
    let descriptor: Int32

    /// Whether the log holds every frame that is counted. Each process that shares a log may empty it at any moment, once
    /// its frames are in the database: then none is counted, before the log becomes shorter.
    func isComplete(log: Int32) -> Bool {
        for _ in 0..<100 {
            guard let counted = lengthOfLog else { return false }
            var status = stat()
            guard fstat(log, &status) == 0 else { return false }
            if Int(status.st_size) >= counted { return true }
            // Counted before it was emptied, perhaps.
            if lengthOfLog == counted { return false }
        }
        return false
    }

    /// In bytes; nil where the index cannot be read.
    private var lengthOfLog: Int? {
        // szPage and mxFrame, in the byte order of the machine.
        var pageSize: UInt16 = 0
        var frames: UInt32 = 0
        guard pread(descriptor, &pageSize, 2, 14) == 2, pread(descriptor, &frames, 4, 16) == 4 else { return nil }
        guard frames > 0 else { return 0 }
        return 32 + Int(frames) * (24 + (pageSize == 1 ? 65_536 : Int(pageSize)))
    }
}
