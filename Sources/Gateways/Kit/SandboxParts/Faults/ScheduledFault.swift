/// A fault that a ``SeededFaultSchedule`` applies.
public protocol ScheduledFault: RawRepresentable<String>, CaseIterable, Equatable, Sendable {
    /// Whether the fault delays the answer, or the execution, by the seconds of its rule.
    var isLate: Bool { get }
}

/// The command of a request to a gateway. A rule of a ``SeededFaultSchedule`` may apply to one command.
public protocol FaultyCommand: RawRepresentable<String>, CaseIterable, Equatable, Sendable {
    /// The member with which a rule names the command: `command` or `method`.
    static var settingName: String { get }
}
