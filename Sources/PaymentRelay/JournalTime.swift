public import FoundationEssentials

/// A time as journals keep it: whole milliseconds since 1970, up to the year 9999.
public struct JournalTime: Sendable, Hashable {
    public let milliseconds: Int

    private static let range = 0...253_402_300_799_999

    /// Nil where no journal wrote it: before 1970, or beyond the year 9999.
    public init?(milliseconds: Int) {
        guard Self.range.contains(milliseconds) else { return nil }
        self.milliseconds = milliseconds
    }

    /// To the nearest millisecond; the nearest that can be kept where the date is beyond them.
    public init(_ date: Date) {
        let exact = (date.timeIntervalSince1970 * 1_000).rounded()
        let bounded = max(Double(Self.range.lowerBound), min(Double(Self.range.upperBound), exact))
        milliseconds = bounded.isNaN ? 0 : Int(bounded)
    }

    public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}
