import Glibc

/// How many files and connections the system lets this process have open.
public enum OpenFiles {
    /// Raises the limit as far as needed.
    ///
    /// - Throws: ``OpenFilesError`` where the system's hard limit is lower.
    public static func allow(_ count: Int) throws(OpenFilesError) {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < rlim_t(count) else { return }
        guard limit.rlim_max >= rlim_t(count) else {
            throw OpenFilesError(needed: count, limit: Int(clamping: limit.rlim_max))
        }
        limit.rlim_cur = rlim_t(count)
        setrlimit(resource, &limit)
    }

    private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
}

/// More connections are configured than the system lets this process have.
public struct OpenFilesError: Error, CustomStringConvertible {
    public let needed: Int
    public let limit: Int

    public var description: String {
        "\(needed) open files are needed, and the system's hard limit is \(limit)"
    }
}
