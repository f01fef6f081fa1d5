public import FoundationEssentials

/// A time as journals keep it: whole milliseconds since 1970, up to the year 9999.
public struct EpochMilliseconds: Sendable, Hashable {
    public let milliseconds: Int

    private static let range = 0...last
    /// The end of the year 9999.
    public static let last = 253_402_300_799_999

    /// Nil where no journal wrote it: before 1970, or beyond the year 9999.
    public init?(milliseconds: Int) {
        guard Self.range.contains(milliseconds) else { return nil }
        self.milliseconds = milliseconds
    }

    /// The nearest that a journal writes. For what is only looked at: a row that makes no sense must not hide all
    /// others.
    public init(clamping milliseconds: Int) {
        self.milliseconds = min(max(milliseconds, Self.range.lowerBound), Self.range.upperBound)
    }

    /// To the nearest millisecond; the nearest that can be kept where the date is beyond them.
    public init(_ date: Date) {
        let exact = (date.timeIntervalSince1970 * 1_000).rounded()
        let bounded = max(Double(Self.range.lowerBound), min(Double(Self.range.upperBound), exact))
        milliseconds = bounded.isNaN ? 0 : Int(bounded)
    }

    public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}
