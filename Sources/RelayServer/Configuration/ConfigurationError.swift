/// Everything that is wrong with the configuration, named at once.
public struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    /// One sentence per fault; never empty.
    public let faults: [String]

    public var description: String {
        (["the configuration cannot be used:"] + faults.map { "  - \($0)" }).joined(separator: "\n")
    }
}
