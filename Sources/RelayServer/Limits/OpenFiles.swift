#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// How many files and connections the system lets this process have open.
enum OpenFiles {
    /// Raises the limit as far as needed.
    ///
    /// - Throws: ``OpenFilesError`` where the system's hard limit is lower.
    static func allow(_ count: Int) throws(OpenFilesError) {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < rlim_t(count) else { return }
        guard limit.rlim_max >= rlim_t(count) else {
            throw OpenFilesError(needed: count, limit: Int(clamping: limit.rlim_max))
        }
        limit.rlim_cur = rlim_t(count)
        setrlimit(resource, &limit)
    }

    #if canImport(Glibc)
    private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
    #else
    private static var resource: Int32 { RLIMIT_NOFILE }
    #endif
}

/// More connections are configured than the system lets this process have.
struct OpenFilesError: Error, CustomStringConvertible {
    let needed: Int
    let limit: Int

    var description: String {
        "\(Setting.httpConnectionsMax.environmentName) needs \(needed) open files, and the system's hard limit is \(limit)"
    }
}
