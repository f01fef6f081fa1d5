public import FortAPI
public import SandboxParts

/// Which fault strikes which request to FORT.
public typealias FaultSchedule = SeededFaultSchedule<SandboxFault, FortCommand>

/// One line of a ``FaultSchedule``.
public typealias FaultRule = SeededFaultRule<SandboxFault, FortCommand>

extension SandboxFault: ScheduledFault {
    public var isLate: Bool { self == .slow }
}

extension FortCommand: FaultyCommand {
    public static var settingName: String { "command" }
}
