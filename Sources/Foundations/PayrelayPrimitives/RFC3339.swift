#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Date {
    /// The date in UTC, to the second, such as `2017-02-01T18:45:06Z`.
    public var rfc3339: String {
        guard hasYearOfFourDigits else { return formatted(.iso8601) }
        return Self.written(second: Int(timeIntervalSince1970.rounded(.down)) + Self.secondsBefore1970)
    }

    /// The date in UTC, to the nearest millisecond, such as `2017-02-01T18:45:06.120Z`.
    public var rfc3339InMilliseconds: String {
        guard hasYearOfFourDigits else { return formatted(ISO8601FormatStyle(includingFractionalSeconds: true)) }
        let milliseconds = Int((timeIntervalSince1970 * 1_000).rounded()) + Self.secondsBefore1970 * 1_000
        let (second, millisecond) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        return Self.written(second: second, millisecond: millisecond)
    }

    /// Whether the year is 1 to 9999, except for the last second. That is the range of RFC 3339, in the proleptic
    /// Gregorian calendar.
    private var hasYearOfFourDigits: Bool {
        (-62_135_596_800..<253_402_300_799).contains(timeIntervalSince1970)
    }

    /// The seconds from 0000-03-01 to 1970. Counting begins in March so that a leap day is the last day of its
    /// year (Hinnant, "chrono-compatible low-level date algorithms").
    private static let secondsBefore1970 = 719_468 * 86_400

    /// Formats a date by arithmetic, because using a calendar costs more than formatting all the rest of a
    /// verification result.
    ///
    /// - Parameters:
    ///   - second: the seconds since 0000-03-01.
    ///   - millisecond: the millisecond within that second; `nil` to leave it out.
    private static func written(second: Int, millisecond: Int? = nil) -> String {
        let (days, second) = second.quotientAndRemainder(dividingBy: 86_400)
        let (era, dayOfEra) = days.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)

        var text = Array((millisecond == nil ? "0000-00-00T00:00:00Z" : "0000-00-00T00:00:00.000Z").utf8)
        func write(_ number: Int, at place: Int) {
            text[place] += UInt8(number / 10)
            text[place + 1] += UInt8(number % 10)
        }
        write(year / 100, at: 0)
        write(year % 100, at: 2)
        write(month, at: 5)
        write(day, at: 8)
        write(second / 3600, at: 11)
        write(second / 60 % 60, at: 14)
        write(second % 60, at: 17)
        if let millisecond {
            text[20] += UInt8(millisecond / 100)
            write(millisecond % 100, at: 21)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
