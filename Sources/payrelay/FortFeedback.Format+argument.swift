public import ArgumentParser
public import FortAPI

extension FortFeedback.Format: ExpressibleByArgument {
    public init?(argument: String) {
        guard let format = Self.allCases.first(where: { $0.name == argument }) else { return nil }
        self = format
    }

    public var defaultValueDescription: String { name }
}
