import Glibc

/// An advisory lock on a file, held until this value is gone. The kernel releases it when the process ends, however it
/// ends.
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
        // From here on `deinit` runs and closes, also where this throws: a second close could hit another file.
        try Self.lock(descriptor, path)
    }

    deinit { Self.unlock(descriptor) }

    /// Makes the file a byte long; it stays so.
    func mark() throws(SQLiteJournalError) {
        guard pwrite(descriptor, "1", 1, 0) == 1 else {
            throw SQLiteJournalError(path: path, reason: String(cString: strerror(errno)))
        }
    }

    /// Locks an open file for its descriptor; does not wait.
    static func lock(_ descriptor: Int32, _ path: String) throws(SQLiteJournalError) {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw SQLiteJournalError(
                path: path, reason: errno == EWOULDBLOCK ? inUse : String(cString: strerror(errno)))
        }
    }

    /// Closes a file and ends its lock: closing alone leaves the lock to a child process that has a copy of the
    /// descriptor, as each has until it executes its program.
    static func unlock(_ descriptor: Int32) {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
