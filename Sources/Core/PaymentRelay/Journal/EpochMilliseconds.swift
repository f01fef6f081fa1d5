public import FoundationEssentials

/// A time as journals keep it, in whole milliseconds since 1970, at most the end of the year 9999.
public struct EpochMilliseconds: Sendable, Hashable {
    public let milliseconds: Int

    private static let range = 0...last
    /// The end of the year 9999.
    public static let last = 253_402_300_799_999

    /// Creates a time; `nil` if it is before 1970 or after the year 9999, because no journal writes such a time.
    public init?(milliseconds: Int) {
        guard Self.range.contains(milliseconds) else { return nil }
        self.milliseconds = milliseconds
    }

    /// Creates the nearest time that a journal can write. It is for times that are only displayed: one nonsensical
    /// row must not hide all others.
    public init(clamping milliseconds: Int) {
        self.milliseconds = min(max(milliseconds, Self.range.lowerBound), Self.range.upperBound)
    }

    /// Rounds a date to the nearest millisecond, within the range that a journal can keep.
    public init(_ date: Date) {
        let exact = (date.timeIntervalSince1970 * 1_000).rounded()
        let bounded = max(Double(Self.range.lowerBound), min(Double(Self.range.upperBound), exact))
        milliseconds = bounded.isNaN ? 0 : Int(bounded)
    }

    public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}
