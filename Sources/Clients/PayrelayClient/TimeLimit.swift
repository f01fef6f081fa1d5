/// The maximum duration of a call. (`Duration` requires iOS 16.)
public struct TimeLimit: Sendable, Hashable, Comparable {
    /// The duration in seconds; not negative.
    public let seconds: Double

    /// Returns a time limit. A negative duration counts as zero.
    public static func seconds(_ seconds: Double) -> TimeLimit {
        TimeLimit(seconds: seconds > 0 ? seconds : 0)
    }

    /// Returns whether the first limit is shorter.
    public static func < (one: TimeLimit, other: TimeLimit) -> Bool { one.seconds < other.seconds }
}
