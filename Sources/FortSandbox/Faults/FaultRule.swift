public import FortAPI

/// One line of a ``FaultSchedule``: which fault strikes, how often, and whom.
public struct FaultRule: Sendable, Equatable {
    public let fault: SandboxFault
    /// From 0, never, to 1, every time.
    public let probability: Double
    /// Whom it strikes; nil for every command, and for requests that name none.
    public let command: FortCommand?
    /// How often at the most; nil without limit.
    public let count: Int?
    /// How long a slow answer takes. Nothing to the other faults.
    public let seconds: Double

    public init(
        _ fault: SandboxFault, probability: Double = 1, command: FortCommand? = nil, count: Int? = nil,
        seconds: Double = 0
    ) {
        self.fault = fault
        self.probability = probability
        self.command = command
        self.count = count
        self.seconds = seconds
    }

    func concerns(_ command: FortCommand?) -> Bool { self.command == nil || self.command == command }
}
