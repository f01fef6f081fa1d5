#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The time zone of people's clocks: a fixed offset from UTC, or a zone of the IANA database.
package enum ClockZone: Sendable, Equatable, CustomStringConvertible {
    case fixed(UTCOffset)
    case named(String, TimeZone)

    package static let utc = ClockZone.fixed(.utc)

    /// The zone as it is typed: `Z`, `+04:00` or `Asia/Dubai`.
    package var description: String {
        switch self {
        case .fixed(let offset): offset.description
        case .named(let name, _): name
        }
    }

    /// Returns the offset in seconds ahead of UTC.
    package func offset(at moment: Date) -> Int {
        switch self {
        case .fixed(let offset): offset.seconds
        case .named(_, let zone): zone.secondsFromGMT(for: moment)
        }
    }

    /// Returns the day of a moment in this zone.
    package func day(of moment: Date) -> CalendarDay { CalendarDay(moment + Double(offset(at: moment))) }

    /// Returns the moment at which the zone's clocks show a time. If they show it twice, returns the first
    /// moment. If they skip it, returns the time that is later by the length of the skipped interval.
    ///
    /// - Parameter second: the second of the day by the clock.
    package func moment(_ day: CalendarDay, second: Int = 0) -> Date {
        let local = day.start() + Double(second)
        // Clocks change at most once within these two days.
        let offsets = [-86_400.0, 86_400].map { offset(at: local + $0) }
        for offset in offsets {
            let moment = local - Double(offset)
            if self.offset(at: moment) == offset { return moment }
        }
        return local - Double(offsets[0])
    }

    /// Returns the time of a moment in this zone, such as `2026-01-31 11:30:00`.
    package func text(of moment: Date) -> String {
        let shown = (moment + Double(offset(at: moment))).rfc3339.utf8
        return String(decoding: shown.prefix(10) + [0x20] + shown.dropFirst(11).prefix(8), as: UTF8.self)
    }
}
