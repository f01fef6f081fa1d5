#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A day of the Gregorian calendar, from 1970 to 9999.
public struct CalendarDay: Sendable, Hashable, Comparable {
    /// The number of days since 1970-01-01, which is 0.
    public let daysSince1970: Int

    /// From 1970-01-01 to 9999-12-31.
    private static let range = 0...2_932_896
    private static let seconds = 86_400

    /// Returns `nil` for a day before 1970 or after the year 9999.
    public init?(daysSince1970: Int) {
        guard Self.range.contains(daysSince1970) else { return nil }
        self.daysSince1970 = daysSince1970
    }

    /// Creates the day of a moment, in UTC. A moment outside of the range gives the nearest day.
    public init(_ moment: Date) {
        let days = (moment.timeIntervalSince1970 / Double(Self.seconds)).rounded(.down)
        daysSince1970 =
            days.isNaN ? 0 : Int(max(Double(Self.range.lowerBound), min(Double(Self.range.upperBound), days)))
    }

    /// Returns `nil` if the calendar has no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard (1970...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.length(of: month, in: year)
        else { return nil }
        let isEarly = month <= 2
        let fromMarch = isEarly ? month + 9 : month - 3
        let marchYear = isEarly ? year - 1 : year
        // Days are counted from 0000-03-01, as in `RFC3339.swift`.
        daysSince1970 =
            marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + (153 * fromMarch + 2) / 5 + day - 1
            - 719_468
    }

    /// Parses `YYYY-MM-DD` (RFC 3339, `full-date`).
    public init?(parsing text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == 0x2D, bytes[7] == 0x2D, let year = Self.number(bytes[0..<4]),
            let month = Self.number(bytes[5..<7]), let day = Self.number(bytes[8..<10])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Returns the moment at which the day begins.
    public func start(at offset: UTCOffset = .utc) -> Date {
        Date(timeIntervalSince1970: Double(daysSince1970 * Self.seconds - offset.seconds))
    }

    /// The day as it is parsed, such as `2026-11-23`.
    public var text: String { String(start().rfc3339.prefix(10)) }

    public static func < (one: CalendarDay, other: CalendarDay) -> Bool { one.daysSince1970 < other.daysSince1970 }

    private static func length(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the number; `nil` if a byte is not a digit.
    static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.allSatisfy(\.isASCIIDigit) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}

/// The time by which a clock is ahead of UTC (RFC 3339, `time-offset`).
public struct UTCOffset: Sendable, Hashable, CustomStringConvertible {
    public static let utc = UTCOffset(seconds: 0)

    public let seconds: Int

    private init(seconds: Int) {
        self.seconds = seconds
    }

    /// Parses `Z`, or a sign with hours and minutes, such as `+04:00`. Returns `nil` for any other text, and
    /// beyond 23:59.
    public init?(parsing text: String) {
        if text == "Z" {
            self = .utc
            return
        }
        let bytes = Array(text.utf8)
        guard bytes.count == 6, bytes[0] == 0x2B || bytes[0] == 0x2D, bytes[3] == 0x3A,
            let hours = CalendarDay.number(bytes[1..<3]), let minutes = CalendarDay.number(bytes[4..<6]), hours < 24,
            minutes < 60
        else { return nil }
        let ahead = hours * 3_600 + minutes * 60
        seconds = bytes[0] == 0x2D ? -ahead : ahead
    }

    /// The offset as it is parsed.
    public var description: String {
        if seconds == 0 { return "Z" }
        let (hours, minutes) = (abs(seconds) / 3_600, abs(seconds) / 60 % 60)
        return "\(seconds < 0 ? "-" : "+")\(hours < 10 ? "0" : "")\(hours):\(minutes < 10 ? "0" : "")\(minutes)"
    }
}
