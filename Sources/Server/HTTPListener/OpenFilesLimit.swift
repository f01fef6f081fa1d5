import Glibc

/// The number of files and sockets that the system allows this process to have open.
public enum OpenFiles {
    /// Raises the limit to `count` if it is lower.
    ///
    /// - Throws: ``OpenFilesError`` if the system's hard limit is lower than `count`.
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

/// The error if the configuration needs more open files than the system allows this process.
public struct OpenFilesError: Error, CustomStringConvertible {
    public let needed: Int
    public let limit: Int

    public var description: String {
        "\(needed) open files are needed, and the system's hard limit is \(limit)"
    }
}
