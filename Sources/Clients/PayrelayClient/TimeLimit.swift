/// How long a call may take at most. (`Duration` needs iOS 16.)
public struct TimeLimit: Sendable, Hashable, Comparable {
    /// Not negative.
    public let seconds: Double

    /// Not negative; less counts as zero.
    public static func seconds(_ seconds: Double) -> TimeLimit {
        TimeLimit(seconds: seconds > 0 ? seconds : 0)
    }

    /// Shorter.
    public static func < (one: TimeLimit, other: TimeLimit) -> Bool { one.seconds < other.seconds }
}
