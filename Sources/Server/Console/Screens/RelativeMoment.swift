import FoundationEssentials
import PayrelayPrimitives

/// A moment as people write it: `now`, `last hour`, `last 2 hours`, `30 minutes ago`, `an hour ago`, `23:00`.
struct RelativeMoment: Equatable {
    let date: Date

    /// - Parameters:
    ///   - now: the current time.
    ///   - zone: the time zone for times of day.
    ///   - mayBeAhead: whether a time of day that is still to come is today's. Otherwise it is yesterday's.
    init?(_ text: String, before now: Date, at zone: ClockZone, mayBeAhead: Bool) {
        let words = text.lowercasedASCII.parts(at: " ").filter { !$0.isEmpty }
        switch words.count {
        case 1 where words[0] == "now": date = now
        case 1:
            guard let second = Self.second(ofDay: words[0]) else { return nil }
            let today = zone.day(of: now)
            let moment = zone.moment(today, second: second)
            guard moment > now, !mayBeAhead, let yesterday = CalendarDay(daysSince1970: today.daysSince1970 - 1) else {
                date = moment
                return
            }
            date = zone.moment(yesterday, second: second)
        case 2 where words[0] == "last":
            guard let unit = Self.seconds(in: words[1]) else { return nil }
            date = now - Double(unit)
        case 3 where words[0] == "last":
            guard let span = Self.span(words[1], words[2]) else { return nil }
            date = now - span
        case 3 where words[2] == "ago":
            guard let span = Self.span(words[0], words[1]) else { return nil }
            date = now - span
        default: return nil
        }
    }

    private static func span(_ count: Substring, _ unit: Substring) -> Double? {
        let number =
            ["a", "an", "one"].contains(count)
            ? 1 : count.utf8.count <= 4 ? MinorUnits(parsing: String(count))?.value : nil
        guard let number, number > 0, let seconds = seconds(in: unit) else { return nil }
        return Double(number * seconds)
    }

    private static func seconds(in unit: Substring) -> Int? {
        switch unit {
        case "minute", "minutes", "min": 60
        case "hour", "hours", "h": 3_600
        case "day", "days": 86_400
        default: nil
        }
    }

    /// Returns the second of the day for a time such as `23:00` or `23:00:30`.
    private static func second(ofDay text: Substring) -> Int? {
        let parts = text.parts(at: ":")
        guard (2...3).contains(parts.count), parts.allSatisfy({ (1...2).contains($0.utf8.count) }) else { return nil }
        var numbers: [Int] = []
        for part in parts {
            guard part.utf8.allSatisfy(\.isASCIIDigit), let number = Int(part) else { return nil }
            numbers.append(number)
        }
        guard numbers[0] < 24, numbers.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        return zip(numbers, [3_600, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 }
    }
}
