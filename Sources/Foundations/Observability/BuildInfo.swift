/// Version and build configuration of the running program.
public struct BuildInfo: Sendable, Hashable {
    public let version: String
    /// `release` or `debug`. A debug build can be made to die on purpose and is not for production.
    public let configuration: String

    public static let current = BuildInfo(version: "0.1.0", configuration: builtConfiguration)

    #if DEBUG
    private static let builtConfiguration = "debug"
    #else
    private static let builtConfiguration = "release"
    #endif
}
