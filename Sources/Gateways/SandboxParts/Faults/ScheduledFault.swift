/// A fault that a ``SeededFaultSchedule`` lets strike.
public protocol ScheduledFault: RawRepresentable<String>, CaseIterable, Equatable, Sendable {
    /// Whether it makes the answer late, by the seconds of its rule.
    var isLate: Bool { get }
}

/// Command of a request to a gateway. A rule of a ``SeededFaultSchedule`` may be for one of them.
public protocol FaultyCommand: RawRepresentable<String>, CaseIterable, Equatable, Sendable {
    /// The gateway's word for it, under which a rule names it: `command`, `method`.
    static var settingName: String { get }
}
