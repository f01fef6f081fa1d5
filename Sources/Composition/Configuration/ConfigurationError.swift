/// Everything that is wrong with the configuration, named at once.
public struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    /// One sentence per error; never empty.
    public let errors: [String]

    public var description: String {
        (["the configuration cannot be used:"] + errors.map { "  - \($0)" }).joined(separator: "\n")
    }
}
