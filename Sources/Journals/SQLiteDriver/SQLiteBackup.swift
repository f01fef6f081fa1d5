import CSQLite
import Glibc
import PaymentRelay
public import SQLJournal

/// A backup of a journal, made while a relay writes to it. It uses SQLite's online backup, in one read transaction
/// of a read-only connection.
///
/// The backup is written under another name, checked, synced and renamed. So its name always stands for a whole
/// backup, or for none.
public struct SQLiteBackup {
    private let path: String
    private let destination: String

    /// - Parameters:
    ///   - path: the path of the journal.
    ///   - destination: the path of the backup, where no file may exist.
    public init(of path: String, to destination: String) {
        self.path = path
        self.destination = destination
    }

    /// Makes the backup, with mode 0600.
    ///
    /// - Parameter progress: called with the number of pages copied so far, and the number of all pages.
    /// - Returns: the contents of the backup.
    /// - Throws: ``SQLiteJournalError``, and ``UnreadableRow``.
    @discardableResult
    public func make(progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }) throws -> JournalContents {
        try refuseFile(at: destination)
        try SQLiteDriver.refuseAbsence(of: path)
        let unfinished = try UnfinishedFile(destination + ".unfinished")
        let contents = try SQLiteDriver.reporting(path) {
            try fill(unfinished, progress)
        }
        try unfinished.finish(as: destination)
        return contents
    }

    /// Fills the file. Every connection to it is closed when this returns.
    private func fill(_ file: UnfinishedFile, _ progress: (Int, Int) -> Void) throws -> JournalContents {
        let copy = try SQLiteConnection(path: file.path, isMade: false)
        try copy.run(script: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        let expected = try copied(into: copy, progress)
        // The copy's header still says that the database has a write-ahead log.
        try copy.run(script: "PRAGMA journal_mode = DELETE")
        let damage = try copy.damage()
        guard damage.isEmpty else {
            throw SQLiteJournalError(path: path, reason: "it is damaged, and so is its copy: \(damage[0])")
        }
        guard try Expected(copy) == expected else {
            throw SQLiteJournalError(path: path, reason: "its copy has other rows")
        }
        let contents = try JournalContents(of: copy)
        try copy.run(
            script: """
                CREATE TABLE \(Schema.backupDigest) (digest BLOB NOT NULL) STRICT;
                INSERT INTO \(Schema.backupDigest) VALUES (x'\(contents.digestText)')
                """)
        return contents
    }

    /// Copies the pages. This is a separate function, so that the read transaction, which keeps the relay's log
    /// from being emptied, ends before the copy is checked.
    private func copied(into copy: SQLiteConnection, _ progress: (Int, Int) -> Void) throws -> Expected {
        let source = try SQLiteDriver.openSnapshot(of: path)
        let expected = try Expected(source)
        try copy.copyPages(of: source, progress)
        return expected
    }

    /// The expected contents of a copy of one state: the number of rows by table, and the last history entry.
    private struct Expected: Equatable {
        let counts: [Int]
        let lastEntry: [Value]?

        init(_ connection: SQLiteConnection) throws {
            counts = try Schema.tables.map { table in
                try connection.answer(to: "SELECT count(*) AS count FROM \(table.name)", []).rows[0].integer("count")
            }
            let last = """
                SELECT at, merchant_reference, number FROM history ORDER BY at DESC, merchant_reference DESC, number DESC LIMIT 1
                """
            lastEntry = try connection.answer(to: last, []).rows.first.map { row in
                [
                    .integer(try row.integer("at")), .text(try row.text("merchant_reference")),
                    .integer(try row.integer("number")),
                ]
            }
        }
    }
}

extension SQLiteConnection {
    /// Copies a database over this one.
    ///
    /// - Parameter source: a connection in a read transaction, whose state is copied.
    fileprivate func copyPages(of source: SQLiteConnection, _ progress: (Int, Int) -> Void) throws(SQLiteError) {
        guard let backup = sqlite3_backup_init(handle, "main", source.handle, "main") else {
            throw SQLiteError(sqlite3_errcode(handle), of: handle)
        }
        var code = SQLITE_OK
        while code == SQLITE_OK {
            code = sqlite3_backup_step(backup, 1_024)
            let all = Int(sqlite3_backup_pagecount(backup))
            progress(all - Int(sqlite3_backup_remaining(backup)), all)
            FailPoint.copying.reach()
        }
        let end = sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE, end == SQLITE_OK else {
            throw SQLiteError(code == SQLITE_DONE ? end : code, of: handle)
        }
    }
}

private func refuseFile(at path: String) throws(SQLiteJournalError) {
    var status = stat()
    guard lstat(path, &status) != 0 else {
        throw SQLiteJournalError(path: path, reason: "there is a file already, and it is not overwritten")
    }
}

/// A file that gets its final name once it is complete.
private final class UnfinishedFile {
    let path: String
    private let descriptor: Int32

    /// Creates the file, or takes over and empties the file of an earlier, unfinished backup.
    ///
    /// - Throws: ``SQLiteJournalError`` if another process writes the file.
    init(_ path: String) throws(SQLiteJournalError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SQLiteJournalError(path: path, reason: String(cString: strerror(errno))) }
        // From here on `deinit` runs, even if this throws.
        try JournalLock.lock(descriptor, path)
        var status = stat()
        // A file with a second name may be the journal itself.
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1,
            JournalFile.Identity(status) == JournalFile.Identity(at: path)
        else { throw SQLiteJournalError(path: path, reason: "the file was replaced by another one") }
        // Files of the earlier database would be mistaken for the new database's files.
        for suffix in ["-journal", "-wal", "-shm"] { unlink(path + suffix) }
        guard fchmod(descriptor, 0o600) == 0, ftruncate(descriptor, 0) == 0 else {
            throw SQLiteJournalError(path: path, reason: String(cString: strerror(errno)))
        }
    }

    deinit { JournalLock.unlock(descriptor) }

    /// Makes the content durable, and then the name.
    ///
    /// - Throws: ``SQLiteJournalError`` if there is a file of that name by now.
    func finish(as name: String) throws(SQLiteJournalError) {
        try refuseFile(at: name)
        guard fsync(descriptor) == 0, rename(path, name) == 0 else {
            throw SQLiteJournalError(path: name, reason: String(cString: strerror(errno)))
        }
        var parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        parts.removeLast()
        let folder = parts.isEmpty ? "." : parts.map { String($0) ?? "" }.joined(separator: "/") + "/"
        let opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(opened) }
        guard opened >= 0, fsync(opened) == 0 else {
            throw SQLiteJournalError(path: folder, reason: String(cString: strerror(errno)))
        }
    }
}
