import CSQLite
import Glibc

/// SQLite's own file system (<https://www.sqlite.org/vfs.html>), except that the frames which a commit appends to
/// the write-ahead log are written with one call.
///
/// SQLite writes each frame's header and page with separate calls: some fifty for a payment that shares its commits
/// with no other. A frame is not read before the log's index counts it, and with `synchronous=FULL` the frames of a
/// commit are counted only after they are synced. Until then they may wait in memory.
enum BufferedLogVFS {
    /// The name for `sqlite3_open_v2`; `nil` if the file system cannot be registered, so that SQLite's own is used.
    static let name: String? = {
        _ = SQLiteConnection.countsNoMemory
        guard let own = sqlite3_vfs_find(nil), BufferedLog.openOwn != nil else { return nil }
        let name = "payrelay"
        // SQLite keeps the pointer for as long as the process lives.
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        vfs.initialize(to: own.pointee)
        vfs.pointee.zName = UnsafePointer(strdup(name))
        vfs.pointee.szOsFile += Int32(BufferedLog.size)
        vfs.pointee.xOpen = BufferedLog.open
        return sqlite3_vfs_register(vfs, 0) == SQLITE_OK ? name : nil
    }()
}

/// An open write-ahead log, in memory that SQLite allocates. SQLite's own file follows it in that memory. Like its
/// connection, it is used by one thread at a time.
private struct BufferedLog {
    typealias File = UnsafeMutablePointer<sqlite3_file>
    typealias Open =
        @convention(c) (
            UnsafeMutablePointer<sqlite3_vfs>?, sqlite3_filename?, File?, Int32, UnsafeMutablePointer<Int32>?
        ) -> Int32

    /// The first member, because SQLite uses a pointer to the whole value as a pointer to this one.
    var file = sqlite3_file(pMethods: BufferedLog.methods)
    /// The buffer. Bytes that are not written yet are at its beginning.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: BufferedLog.capacity, alignment: 16)
    /// The number of bytes that are not written yet, and their place in the log.
    var count = 0
    var offset: sqlite3_int64 = 0

    /// The size of the buffer in bytes, some thirty frames. SQLite's own file accepts no more in one call.
    static let capacity = 0x1FFFF
    static let size = (MemoryLayout<BufferedLog>.size + 15) / 16 * 16

    static let openOwn = sqlite3_vfs_find(nil)?.pointee.xOpen

    static let open: Open = { vfs, path, file, flags, given in
        guard let file, let openOwn else { return SQLITE_CANTOPEN }
        guard flags & SQLITE_OPEN_WAL != 0 else { return openOwn(vfs, path, file, flags, given) }
        file.pointee.pMethods = nil
        let code = openOwn(vfs, path, file.own, flags, given)
        // If a file has methods, SQLite closes it even if it could not be opened.
        if file.own.pointee.pMethods != nil {
            UnsafeMutableRawPointer(file).initializeMemory(as: BufferedLog.self, to: BufferedLog())
        }
        return code
    }

    /// It is safe because it never changes.
    nonisolated(unsafe) static let methods: UnsafePointer<sqlite3_io_methods> = {
        var methods = sqlite3_io_methods()
        methods.iVersion = 1
        methods.xWrite = { $0?.append($1, $2, at: $3) ?? SQLITE_IOERR }
        methods.xClose = { $0?.close() ?? SQLITE_IOERR }
        methods.xSync = { file, flags in file?.written { $0.xSync($1, flags) } ?? SQLITE_IOERR }
        methods.xRead = { file, bytes, count, offset in
            file?.written { $0.xRead($1, bytes, count, offset) } ?? SQLITE_IOERR
        }
        methods.xTruncate = { file, size in file?.written { $0.xTruncate($1, size) } ?? SQLITE_IOERR }
        methods.xFileSize = { file, size in file?.written { $0.xFileSize($1, size) } ?? SQLITE_IOERR }
        methods.xLock = { file, level in file?.ask { $0.xLock($1, level) } ?? SQLITE_IOERR }
        methods.xUnlock = { file, level in file?.ask { $0.xUnlock($1, level) } ?? SQLITE_IOERR }
        methods.xCheckReservedLock = { file, isLocked in
            file?.ask { $0.xCheckReservedLock($1, isLocked) } ?? SQLITE_IOERR
        }
        methods.xFileControl = { file, code, value in
            file?.ask { $0.xFileControl($1, code, value) } ?? SQLITE_NOTFOUND
        }
        methods.xSectorSize = { file in file?.ask { $0.xSectorSize($1) } ?? 0 }
        methods.xDeviceCharacteristics = { file in file?.ask { $0.xDeviceCharacteristics($1) } ?? 0 }
        let kept = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        kept.initialize(to: methods)
        return UnsafePointer(kept)
    }()
}

extension UnsafeMutablePointer<sqlite3_file> {
    private var log: UnsafeMutablePointer<BufferedLog> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: BufferedLog.self)
    }

    /// SQLite's own file.
    fileprivate var own: UnsafeMutablePointer<sqlite3_file> {
        (UnsafeMutableRawPointer(self) + BufferedLog.size).assumingMemoryBound(to: sqlite3_file.self)
    }

    /// Calls a method of SQLite's own file.
    fileprivate func ask(
        _ method: (sqlite3_io_methods, UnsafeMutablePointer<sqlite3_file>) -> Int32?
    ) -> Int32? {
        own.pointee.pMethods.flatMap { method($0.pointee, own) }
    }

    /// Writes the buffer, and then calls a method of SQLite's own file.
    fileprivate func written(
        _ method: (sqlite3_io_methods, UnsafeMutablePointer<sqlite3_file>) -> Int32?
    ) -> Int32? {
        let code = write()
        return code == SQLITE_OK ? ask(method) : code
    }

    fileprivate func append(_ bytes: UnsafeRawPointer?, _ count: Int32, at offset: sqlite3_int64) -> Int32? {
        let (log, count) = (log, Int(count))
        guard let bytes, 0...BufferedLog.capacity ~= count else {
            return written { $0.xWrite($1, bytes, Int32(count), offset) }
        }
        let isNext = offset == log.pointee.offset + Int64(log.pointee.count)
        if !isNext || log.pointee.count + count > BufferedLog.capacity {
            let code = write()
            guard code == SQLITE_OK else { return code }
            log.pointee.offset = offset
        }
        log.pointee.buffer.baseAddress?.advanced(by: log.pointee.count).copyMemory(from: bytes, byteCount: count)
        log.pointee.count += count
        return SQLITE_OK
    }

    /// Writes the buffer. Bytes that cannot be written are dropped, because SQLite undoes the commit that they
    /// belong to.
    private func write() -> Int32? {
        let (bytes, count, offset) = (log.pointee.buffer.baseAddress, log.pointee.count, log.pointee.offset)
        guard count > 0 else { return SQLITE_OK }
        log.pointee.count = 0
        log.pointee.offset += Int64(count)
        return ask { $0.xWrite($1, bytes, Int32(count), offset) }
    }

    fileprivate func close() -> Int32? {
        let code = write()
        log.pointee.buffer.deallocate()
        let closed = ask { $0.xClose($1) }
        return code == SQLITE_OK ? closed : code
    }
}
