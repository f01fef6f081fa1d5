/// The version and the build configuration of the running program.
public struct BuildInfo: Sendable, Hashable {
    public let version: String
    /// `release` or `debug`. A debug build has ways to crash it on purpose, so it must not be used in production.
    public let configuration: String

    public static let current = BuildInfo(version: "0.1.0", configuration: builtConfiguration)

    #if DEBUG
    private static let builtConfiguration = "debug"
    #else
    private static let builtConfiguration = "release"
    #endif
}
