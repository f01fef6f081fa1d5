import Glibc

/// An advisory lock on a file, held until this object is deallocated. The kernel ends the lock when the process
/// ends, however it ends.
final class JournalLock: Sendable {
    static let inUse = "another payrelay process is using it"

    private let path: String
    private let descriptor: Int32

    init(path: String, _ flags: Int32 = O_RDWR | O_CREAT) throws(SQLiteJournalError) {
        self.path = path
        descriptor = open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw SQLiteJournalError(path: path, reason: String(cString: strerror(errno)))
        }
        // From here on `deinit` closes the descriptor, even if this throws. A second close could hit another file.
        try Self.lock(descriptor, path)
    }

    deinit { Self.unlock(descriptor) }

    /// Makes the file one byte long, permanently.
    func mark() throws(SQLiteJournalError) {
        guard pwrite(descriptor, "1", 1, 0) == 1 else {
            throw SQLiteJournalError(path: path, reason: String(cString: strerror(errno)))
        }
    }

    /// Locks an open file for its descriptor, without waiting.
    static func lock(_ descriptor: Int32, _ path: String) throws(SQLiteJournalError) {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw SQLiteJournalError(
                path: path, reason: errno == EWOULDBLOCK ? inUse : String(cString: strerror(errno)))
        }
    }

    /// Ends the lock and closes the file. Closing alone is not enough: a child process has a copy of the descriptor
    /// until it executes its program, and would keep the lock.
    static func unlock(_ descriptor: Int32) {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
