import Foundation

enum OpenFiles {
    /// Whether the test process may have `count` connections beside its other files. Raises the soft limit if necessary.
    static func allow(_ count: Int) -> Bool {
        let needed = rlim_t(count + 2_000)
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_max >= needed else {
            return false
        }
        limit.rlim_cur = max(limit.rlim_cur, needed)
        return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
    }
}
