import CSQLite
import Foundation
import SQLJournal
import TestPrograms
import Testing

@testable import SQLiteDriver

/// SQLite's operations on an open file, for the log as the driver opens it.
@Suite struct BufferedLogVFSTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("log-wal") }

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("SQLite does not count its memory, even if the driver's file system is the first thing requested from it")
    func countsNoMemory() throws {
        let connection = try SQLiteConnection(path: path, vfs: BufferedLogVFS.name)
        try connection.run(script: "CREATE TABLE value (text TEXT) STRICT")
        var (used, most) = (sqlite3_int64(0), sqlite3_int64(0))
        #expect(sqlite3_status64(SQLITE_STATUS_MEMORY_USED, &used, &most, 0) == SQLITE_OK)
        #expect(used == 0)
    }

    @Test("S12: a log reads as it was written, in any order, and its file is whole after each sync", arguments: 1...20)
    func readsAsWritten(seed: UInt64) throws {
        let log = try OpenLog(path)
        var random = SeededGenerator(seed: seed)
        var expected: [UInt8] = []
        for _ in 0..<400 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0...5:
                let isAppended = Int.random(in: 0..<4, using: &random) > 0
                let offset = isAppended ? expected.count : Int.random(in: 0...expected.count + 100, using: &random)
                let sizes = [24, 32, 4_096, 0, 65_536]
                let count = sizes.randomElement(using: &random) ?? 0
                let bytes = [UInt8](repeating: .random(in: .min ... .max, using: &random), count: count)
                #expect(log.write(bytes, at: offset) == SQLITE_OK)
                if count > 0 {
                    expected += [UInt8](repeating: 0, count: max(0, offset + count - expected.count))
                    expected.replaceSubrange(offset..<offset + count, with: bytes)
                }
            case 6:
                let offset = Int.random(in: 0...expected.count, using: &random)
                let count = min(5_000, expected.count - offset)
                let isSame = log.read(count, at: offset) == Array(expected[offset..<offset + count])
                #expect(isSame, "from \(offset)")
            case 7: #expect(log.size == expected.count)
            case 8:
                let size = Int.random(in: 0...expected.count, using: &random)
                #expect(log.truncate(to: size) == SQLITE_OK)
                expected.removeLast(expected.count - size)
            default:
                #expect(log.sync() == SQLITE_OK)
                let isWhole = try Data(contentsOf: URL(filePath: path)) == Data(expected)
                #expect(isWhole)
            }
        }
        #expect(log.close() == SQLITE_OK)
        let isWhole = try Data(contentsOf: URL(filePath: path)) == Data(expected)
        #expect(isWhole)
    }

    @Test("S12: a sync fails if earlier writes cannot be written, and they are not written later")
    func failsASync() throws {
        let log = try OpenLog("/dev/full")
        for _ in 1...2 {
            #expect(log.write([1], at: 0) == SQLITE_OK)
            #expect(log.write([2], at: 1) == SQLITE_OK)
            #expect(log.sync() & 0xFF == SQLITE_FULL)
        }
        // No write is buffered any more.
        #expect(log.close() == SQLITE_OK)
    }

    @Test("S12: other connections see each commit whole once it has returned, and nothing before")
    func showsWholeCommits() throws {
        let path = folder.path("journal.sqlite")
        let connection = try SQLiteDriver.connect(path, isMade: true)
        // The cache is so small that pages of a transaction are written, and read again, before its end.
        try connection.run(script: "CREATE TABLE page (number INTEGER, content BLOB); PRAGMA cache_size = 10")
        let other = try SQLiteConnection(path: path)
        var committed = 0
        for (round, isCommitted) in [true, false, true, false, false, true].enumerated() {
            let rows = 20 + 60 * round
            try connection.run(script: "BEGIN IMMEDIATE")
            for number in 0..<rows {
                try connection.run("INSERT INTO page VALUES ($1, randomblob(3000))", [.integer(number)])
            }
            try connection.run(script: "UPDATE page SET number = number + 1 WHERE number % 7 = 0")
            try connection.run(script: "SAVEPOINT part; DELETE FROM page WHERE number % 2 = 0")
            try connection.run(script: "ROLLBACK TO part; RELEASE part")
            #expect(try count(other) == committed)
            try connection.run(script: isCommitted ? "COMMIT" : "ROLLBACK")
            if isCommitted { committed += rows }
            #expect(try count(other) == committed)
            #expect(try count(connection) == committed)
        }
        #expect(try other.run(script: "PRAGMA integrity_check").first?.text("integrity_check") == "ok")
    }

    private func count(_ connection: SQLiteConnection) throws -> Int {
        let rows = try connection.run("SELECT count(*) AS count FROM page WHERE length(content) = 3000", []).rows
        return try #require(rows.first).integer("count")
    }
}

/// A log file, opened as SQLite opens it.
private final class OpenLog {
    private let file: UnsafeMutablePointer<sqlite3_file>
    /// The path must live as long as the file: SQLite's file keeps its address.
    private let path: UnsafeMutablePointer<CChar>
    private var isOpen = true

    init(_ path: String) throws {
        let vfs = try #require(sqlite3_vfs_find(BufferedLogVFS.name))
        self.path = try #require(strdup(path))
        let memory = UnsafeMutableRawPointer.allocate(byteCount: Int(vfs.pointee.szOsFile), alignment: 16)
        file = memory.assumingMemoryBound(to: sqlite3_file.self)
        // SQLite gives a log the permissions of its database, whose path is the log's path without "-wal".
        if path.hasSuffix("-wal") { try Data().write(to: URL(filePath: String(path.dropLast(4)))) }
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_WAL
        try #require(vfs.pointee.xOpen(vfs, self.path, file, flags, nil) == SQLITE_OK)
    }

    deinit {
        if isOpen { _ = close() }
        free(path)
        UnsafeMutableRawPointer(file).deallocate()
    }

    private var methods: sqlite3_io_methods { file.pointee.pMethods.pointee }

    func write(_ bytes: [UInt8], at offset: Int) -> Int32 {
        methods.xWrite(file, bytes, Int32(bytes.count), sqlite3_int64(offset))
    }

    func read(_ count: Int, at offset: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return methods.xRead(file, &bytes, Int32(count), sqlite3_int64(offset)) == SQLITE_OK ? bytes : nil
    }

    func truncate(to size: Int) -> Int32 { methods.xTruncate(file, sqlite3_int64(size)) }

    func sync() -> Int32 { methods.xSync(file, SQLITE_SYNC_NORMAL) }

    var size: Int? {
        var size: sqlite3_int64 = 0
        return methods.xFileSize(file, &size) == SQLITE_OK ? Int(size) : nil
    }

    func close() -> Int32 {
        isOpen = false
        return methods.xClose(file)
    }
}
