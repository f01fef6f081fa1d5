import Glibc

extension SQLiteDriver {
    /// Those of a journal's files that more than their owner may read or write. What is made is its owner's
    /// alone; files that were made by hand are left as they are.
    public static func filesOpenToOthers(path: String) -> [String] {
        ["", "-wal", "-shm", ".lock"].map { path + $0 }.filter { file in
            var status = stat()
            return stat(file, &status) == 0 && status.st_mode & 0o077 != 0
        }
    }
}
