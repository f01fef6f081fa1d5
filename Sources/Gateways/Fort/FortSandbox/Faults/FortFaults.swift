public import FortAPI
public import SandboxParts

/// The faults to apply to requests to FORT.
public typealias FaultSchedule = SeededFaultSchedule<SandboxFault, FortCommand>

/// A rule of a ``FaultSchedule``.
public typealias FaultRule = SeededFaultRule<SandboxFault, FortCommand>

extension SandboxFault: ScheduledFault {
    public var isLate: Bool { self == .slow }
}

extension FortCommand: FaultyCommand {
    public static var settingName: String { "command" }
}
