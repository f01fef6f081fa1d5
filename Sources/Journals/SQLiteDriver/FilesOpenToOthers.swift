import Glibc

extension SQLiteDriver {
    /// Returns the journal's files that users other than their owner may read or write. Files that payrelay creates
    /// are only accessible to their owner. Files that were created by hand are left as they are.
    public static func filesOpenToOthers(path: String) -> [String] {
        ["", "-wal", "-shm", ".lock"].map { path + $0 }.filter { file in
            var status = stat()
            return stat(file, &status) == 0 && status.st_mode & 0o077 != 0
        }
    }
}
