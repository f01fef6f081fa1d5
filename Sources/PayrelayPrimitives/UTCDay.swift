#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A calendar day in UTC.
public struct UTCDay: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01.
    public let number: Int

    /// To the end of the year 9999.
    private static let range = 0...2_932_896
    private static let seconds = 86_400.0

    /// Nil before 1970, or beyond the year 9999.
    public init?(number: Int) {
        guard Self.range.contains(number) else { return nil }
        self.number = number
    }

    /// The day of a moment; the nearest that there is where the moment is beyond them.
    public init(_ moment: Date) {
        let days = (moment.timeIntervalSince1970 / Self.seconds).rounded(.down)
        number = days.isNaN ? 0 : Int(max(Double(Self.range.lowerBound), min(Double(Self.range.upperBound), days)))
    }

    /// Its first moment.
    public var start: Date { Date(timeIntervalSince1970: Double(number) * Self.seconds) }

    /// `2026-11-23`.
    public var text: String { String(start.rfc3339.prefix(10)) }

    public static func < (one: UTCDay, other: UTCDay) -> Bool { one.number < other.number }
}
