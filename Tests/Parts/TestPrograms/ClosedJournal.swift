import Foundation

/// Returns when nothing has the journal's file open any more: its last reference may be that of a thread which has just given an
/// answer, and SQLite then moves the log into the file.
///
/// - Parameter journal: the path of its file. A journal that has it open keeps a lock on the file beside it.
/// - Throws: where it was never opened.
public func waitUntilClosed(journal: String) throws {
    let lock = try FileHandle(forUpdating: URL(filePath: journal + ".lock"))
    while flock(lock.fileDescriptor, LOCK_EX) != 0, errno == EINTR {}
    flock(lock.fileDescriptor, LOCK_UN)
}
