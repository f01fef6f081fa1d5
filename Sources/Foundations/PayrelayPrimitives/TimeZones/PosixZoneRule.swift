#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// When a zone's clocks change, each year: `EET-2EEST,M3.5.0/3,M10.5.0/4` (POSIX, TZ; RFC 9636, 3.3).
struct PosixZoneRule: Sendable, Equatable {
    /// In seconds ahead of UTC.
    private let standard: Int
    private let summer: Summer?

    private struct Summer: Equatable {
        let offset: Int
        let start: Change
        let end: Change
    }

    /// A day of the year, and the seconds after its midnight.
    private struct Change: Equatable {
        enum Day: Equatable {
            /// The n-th of a day of the week, 0 for Sunday, in a month; the fifth is the last.
            case ofWeek(month: Int, week: Int, weekday: Int)
            /// From 1, where 29 February is not counted.
            case ofYear(Int)
            /// From 0, where it is.
            case fromZero(Int)
        }

        let day: Day
        let seconds: Int

        /// By local time, in seconds since 1970 as if that were UTC; nil beyond the calendar.
        func moment(in year: Int) -> Int? {
            guard let newYear = CalendarDay(year: year, month: 1, day: 1)?.daysSince1970 else { return nil }
            let days: Int
            switch day {
            case .fromZero(let number): days = newYear + number
            case .ofYear(let number):
                let isLeap = CalendarDay(year: year, month: 2, day: 29) != nil
                days = newYear + number - (isLeap && number >= 60 ? 0 : 1)
            case .ofWeek(let month, let week, let weekday):
                guard let first = CalendarDay(year: year, month: month, day: 1)?.daysSince1970 else { return nil }
                // 1970-01-01 was a Thursday.
                let day = 1 + (weekday - (first + 4) % 7 + 7) % 7 + (week - 1) * 7
                days = first + (CalendarDay(year: year, month: month, day: day) == nil ? day - 8 : day - 1)
            }
            return days * 86_400 + seconds
        }
    }

    func offset(at second: Int) -> Int {
        guard let summer else { return standard }
        let day = CalendarDay(Date(timeIntervalSince1970: Double(second + standard)))
        guard let year = Int(day.text.beginning(4)), let start = summer.start.moment(in: year).map({ $0 - standard }),
            let end = summer.end.moment(in: year).map({ $0 - summer.offset })
        else { return standard }
        let isSummer = start < end ? (start..<end).contains(second) : !(end..<start).contains(second)
        return isSummer ? summer.offset : standard
    }

    // MARK: Text

    /// Nil for anything else.
    init?(parsing bytes: [UInt8]) {
        var reader = Reader(rest: bytes[...])
        guard reader.name(), let standard = reader.duration(hoursAtMost: 24) else { return nil }
        self.standard = -standard
        guard !reader.rest.isEmpty else {
            summer = nil
            return
        }
        guard reader.name() else { return nil }
        var offset = self.standard + 3_600
        if reader.rest.first != UInt8(ascii: ",") {
            guard let own = reader.duration(hoursAtMost: 24) else { return nil }
            offset = -own
        }
        guard let start = reader.change(), let end = reader.change(), reader.rest.isEmpty else { return nil }
        summer = Summer(offset: offset, start: start, end: end)
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        private mutating func takes(_ scalar: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: scalar) else { return false }
            rest.removeFirst()
            return true
        }

        private mutating func number(_ range: ClosedRange<Int>) -> Int? {
            let digits = rest.prefix { $0.isASCIIDigit }
            guard (1...3).contains(digits.count), case let number = digits.reduce(0, { $0 * 10 + Int($1 - 0x30) }),
                range.contains(number)
            else { return nil }
            rest = rest.dropFirst(digits.count)
            return number
        }

        /// Skips `EET`, or `<+04>`.
        mutating func name() -> Bool {
            let isQuoted = takes("<")
            let name = rest.prefix { byte in
                byte.isASCIILetter || isQuoted && (byte.isASCIIDigit || byte == 0x2B || byte == 0x2D)
            }
            rest = rest.dropFirst(name.count)
            return name.count >= 3 && (!isQuoted || takes(">"))
        }

        /// `-2`, `3:30`, `+167:00:00`, in seconds.
        mutating func duration(hoursAtMost hours: Int) -> Int? {
            let isNegative = takes("-")
            if !isNegative { _ = takes("+") }
            guard var seconds = number(0...hours).map({ $0 * 3_600 }) else { return nil }
            for unit in [60, 1] where takes(":") {
                guard let more = number(0...59) else { return nil }
                seconds += more * unit
            }
            return isNegative ? -seconds : seconds
        }

        mutating func change() -> Change? {
            guard takes(","), let day = day() else { return nil }
            guard takes("/") else { return Change(day: day, seconds: 7_200) }
            return duration(hoursAtMost: 167).map { Change(day: day, seconds: $0) }
        }

        private mutating func day() -> Change.Day? {
            if takes("M") {
                guard let month = number(1...12), takes("."), let week = number(1...5), takes("."),
                    let weekday = number(0...6)
                else { return nil }
                return .ofWeek(month: month, week: week, weekday: weekday)
            }
            return takes("J") ? number(1...365).map { .ofYear($0) } : number(0...365).map { .fromZero($0) }
        }
    }
}
