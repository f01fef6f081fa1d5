import Foundation

/// Waits until no process has the journal's file open. The last reference to a journal may belong to a thread that has just
/// given an answer, and SQLite then moves the log into the file.
///
/// - Parameter journal: The path of the journal's file. A journal that has it open keeps a lock on the file beside it.
/// - Throws: An error if the journal was never opened.
public func waitUntilClosed(journal: String) throws {
    let lock = try FileHandle(forUpdating: URL(filePath: journal + ".lock"))
    while flock(lock.fileDescriptor, LOCK_EX) != 0, errno == EINTR {}
    flock(lock.fileDescriptor, LOCK_UN)
}
