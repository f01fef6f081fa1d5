import Glibc
import Synchronization

/// The journal's file, locked for one process, and compared with the file at its path.
///
/// The lock is on the inode, so it keeps out a second process whatever name that process opens the file by,
/// including symbolic and hard links. A process that went on writing to a deleted or replaced file would record
/// payments that are lost after a restart; ``check()`` detects this.
///
/// It must outlive every connection of this process to the file, because closing any descriptor of a file ends
/// SQLite's own locks on it (POSIX.1-2024, `fcntl`).
final class JournalFile: Sendable {
    /// The inode at a path.
    struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64
    }

    private struct Held: Sendable {
        let path: String
        let identity: Identity
        let descriptor: Int32
        /// The permitted first bytes of this kind of file; empty if there is no rule.
        let beginnings: [[UInt8]]
        /// The WAL's index, which counts its frames; `nil` for the other files.
        var index: WALIndex?
        /// The last seen size in bytes. Only the log may become shorter while this process uses it.
        var size: Int = 0
    }

    private struct Problem {
        let error: SQLiteJournalError
        /// Whether SQLite still holds the original file open, so that its content can be saved.
        let isElsewhere: Bool
    }

    /// The path as it was given. Errors name it.
    let path: String
    /// The path without symbolic links. SQLite creates its other files beside this one.
    private let realPath: String
    private let descriptor: Int32
    private let identity: Identity
    /// A lock on a file beside the journal. It still holds if the journal's file is replaced.
    private let lockBeside: JournalLock
    /// The database and SQLite's other files, once they exist.
    private let files = Mutex<[Held]>([])

    /// The files that this process holds. Opening one of them again and closing that descriptor would end SQLite's
    /// locks.
    private static let held = Mutex<Set<Identity>>([])

    /// Locks the file. If there is none, an empty one is created with mode 0600.
    ///
    /// - Throws: ``SQLiteJournalError`` if another process holds the file, it has several names, or it cannot be
    ///   opened.
    init(path: String) throws(SQLiteJournalError) {
        self.path = path
        lockBeside = try JournalLock(path: path + ".lock")
        let result = Self.held.withLock { held in
            Result { () throws(SQLiteJournalError) in
                let descriptor = try Self.open(path, unlessIn: held)
                do throws(SQLiteJournalError) {
                    let (identity, realPath) = try Self.lock(descriptor, path)
                    held.insert(identity)
                    return (descriptor, identity, realPath)
                } catch {
                    // This process has no connection to a file that it does not hold.
                    JournalLock.unlock(descriptor)
                    throw error
                }
            }
        }
        (descriptor, identity, realPath) = try result.get()
    }

    deinit {
        _ = Self.held.withLock { $0.remove(identity) }
        for file in files.withLock({ $0 }) where file.descriptor >= 0 && file.descriptor != descriptor {
            close(file.descriptor)
        }
        JournalLock.unlock(descriptor)
    }

    /// Records beside the file that a relay has its journal here. From now on, no new journal is begun if the file
    /// is lost.
    func mark() throws(SQLiteJournalError) { try lockBeside.mark() }

    /// Whether the file is missing or empty although a relay had its journal here.
    static func isLost(_ path: String) -> Bool {
        var (file, lock) = (stat(), stat())
        let isAbsent = stat(path, &file) == 0 ? file.st_size == 0 : errno == ENOENT
        return isAbsent && stat(path + ".lock", &lock) == 0 && lock.st_size > 0
    }

    /// Refuses to begin a new journal in place of a lost one. Otherwise the relay would forget every payment, and
    /// SQLite would delete the log.
    static func refuseLoss(of path: String) throws(SQLiteJournalError) {
        guard isLost(path) else { return }
        throw SQLiteJournalError(
            path: path,
            reason: """
                the file is gone, and there was one. Move it back, or restore it; to begin a new journal, delete \(path).lock
                """)
    }

    /// Remembers the database, its log and the log's index, which SQLite has created by now and keeps open.
    func rememberFiles() throws(SQLiteJournalError) {
        var found = [
            Held(path: realPath, identity: identity, descriptor: descriptor, beginnings: [Self.databaseBeginning])
        ]
        var index: WALIndex?
        for (suffix, beginnings) in [(Self.index, []), (Self.log, Self.logBeginnings)] {
            let descriptor = Self.openFile(realPath + suffix, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0, let identity = Identity(at: realPath + suffix) else {
                throw SQLiteJournalError(path: path + suffix, reason: String(cString: strerror(errno)))
            }
            found.append(
                Held(
                    path: realPath + suffix, identity: identity, descriptor: descriptor, beginnings: beginnings,
                    index: index))
            index = WALIndex(descriptor: descriptor)
        }
        files.withLock { $0 = found }
    }

    /// Compares the files at the paths of the journal and of SQLite's other files with the files to which this
    /// process writes.
    ///
    /// - Parameter readsBeginnings: whether to read the first bytes of the files, too.
    /// - Throws: ``SQLiteJournalError`` if a file is gone, was replaced, was cut short, or has wrong first bytes.
    func check(readsBeginnings: Bool = true) throws(SQLiteJournalError) {
        if let problem = problems(readsBeginnings: readsBeginnings).first { throw problem.error }
    }

    /// Whether the log was removed or replaced while the database is still in place, so that the log's content can
    /// be saved into the database. A log that was written over has no content that may be saved.
    var canSaveLog: Bool {
        let problems = problems(readsBeginnings: true)
        return problems.contains { $0.error.path == realPath + Self.log && $0.isElsewhere }
            && !problems.contains { $0.error.path == realPath }
    }

    private func problems(readsBeginnings: Bool) -> [Problem] {
        files.withLock { files in
            files.indices.compactMap { Self.problem(of: &files[$0], readsBeginning: readsBeginnings) }
        }
    }

    private static func problem(of file: inout Held, readsBeginning: Bool) -> Problem? {
        func problem(_ reason: String, isElsewhere: Bool = false) -> Problem {
            Problem(error: SQLiteJournalError(path: file.path, reason: reason), isElsewhere: isElsewhere)
        }
        var status = stat()
        guard stat(file.path, &status) == 0 else {
            return problem(errno == ENOENT ? "the file is gone" : String(cString: strerror(errno)), isElsewhere: true)
        }
        guard Identity(status) == file.identity else {
            return problem("the file was replaced by another one", isElsewhere: true)
        }
        if Int(status.st_size) < file.size, file.index?.isComplete(log: file.descriptor) != true {
            return problem("the file was cut short")
        }
        file.size = Int(status.st_size)
        guard readsBeginning, let length = file.beginnings.first?.count, file.size >= length else { return nil }
        var bytes = [UInt8](repeating: 0, count: length)
        let count = pread(file.descriptor, &bytes, length, 0)
        // The log was emptied at this moment.
        if count == 0, file.index != nil { return nil }
        guard count == length else { return problem(String(cString: strerror(errno))) }
        return file.beginnings.contains(bytes) ? nil : problem("the file was written over")
    }

    private static func open(_ path: String, unlessIn held: Set<Identity>) throws(SQLiteJournalError) -> Int32 {
        let made = Self.openFile(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC)
        if made >= 0 {
            // Set the mode whatever the umask is.
            fchmod(made, 0o600)
            return made
        }
        guard errno == EEXIST else { throw SQLiteJournalError(path: path, reason: String(cString: strerror(errno))) }
        if let identity = Identity(at: path), held.contains(identity) {
            throw SQLiteJournalError(path: path, reason: JournalLock.inUse)
        }
        let found = Self.openFile(path, O_RDWR | O_CLOEXEC)
        guard found >= 0 else { throw SQLiteJournalError(path: path, reason: String(cString: strerror(errno))) }
        return found
    }

    private static func openFile(_ path: String, _ flags: Int32) -> Int32 {
        Glibc.open(path, flags, 0o600)
    }

    private static func lock(
        _ descriptor: Int32, _ path: String
    ) throws(SQLiteJournalError) -> (Identity, realPath: String) {
        try JournalLock.lock(descriptor, path)
        var status = stat()
        guard fstat(descriptor, &status) == 0, let resolved = realpath(path, nil) else {
            throw SQLiteJournalError(path: path, reason: String(cString: strerror(errno)))
        }
        defer { free(resolved) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SQLiteJournalError(path: path, reason: "it is not a regular file")
        }
        try refuseHardLinks(path, status)
        let realPath = String(cString: resolved)
        guard Identity(status) == Identity(at: realPath) else {
            throw SQLiteJournalError(path: path, reason: "the file was replaced by another one")
        }
        return (Identity(status), realPath)
    }

    /// Refuses a file with several names. The log lies beside only one of them, so a process that opens another
    /// name would miss the log's content.
    private static func refuseHardLinks(_ path: String, _ status: stat) throws(SQLiteJournalError) {
        guard status.st_nlink > 1 else { return }
        throw SQLiteJournalError(path: path, reason: "it has \(status.st_nlink) names (hard links); leave it one")
    }

    /// Refuses a file with several names, for a reader that does not hold the lock.
    static func refuseHardLinks(_ path: String) throws(SQLiteJournalError) {
        var status = stat()
        if stat(path, &status) == 0 { try refuseHardLinks(path, status) }
    }

    /// The first bytes of the files: <https://www.sqlite.org/fileformat2.html>, 1.2 and 4.1.
    private static let databaseBeginning = Array("SQLite format 3\0".utf8)
    private static let logBeginnings: [[UInt8]] = [[0x37, 0x7F, 0x06, 0x82], [0x37, 0x7F, 0x06, 0x83]]
    private static let log = "-wal"
    private static let index = "-shm"
}

extension JournalFile.Identity {
    init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
    }

    /// Reads the inode at a path; `nil` if that fails, and then `errno` has the reason.
    init?(at path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}

/// Why a journal file cannot be used.
public struct SQLiteJournalError: Error, Equatable, CustomStringConvertible {
    public let path: String
    public let reason: String

    public var description: String { "the journal \(path) cannot be used: \(reason)" }
}
