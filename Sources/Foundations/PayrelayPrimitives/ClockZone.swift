#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The zone of people's clocks: an offset from UTC that never changes, or a zone of the IANA database.
package enum ClockZone: Sendable, Equatable, CustomStringConvertible {
    case fixed(UTCOffset)
    case named(String, TimeZone)

    package static let utc = ClockZone.fixed(.utc)

    /// As it is typed: `Z`, `+04:00`, `Asia/Dubai`.
    package var description: String {
        switch self {
        case .fixed(let offset): offset.description
        case .named(let name, _): name
        }
    }

    /// In seconds ahead of UTC.
    package func offset(at moment: Date) -> Int {
        switch self {
        case .fixed(let offset): offset.seconds
        case .named(_, let zone): zone.secondsFromGMT(for: moment)
        }
    }

    /// The day that the zone's calendars show.
    package func day(of moment: Date) -> CalendarDay { CalendarDay(moment + Double(offset(at: moment))) }

    /// The moment at which the zone's clocks show a time. Of two the first; a time that they skip is as much later as they do.
    ///
    /// - Parameter second: of the day, by the clock.
    package func moment(_ day: CalendarDay, second: Int = 0) -> Date {
        let local = day.start() + Double(second)
        // Clocks change at most once within these days.
        let offsets = [-86_400.0, 86_400].map { offset(at: local + $0) }
        for offset in offsets {
            let moment = local - Double(offset)
            if self.offset(at: moment) == offset { return moment }
        }
        return local - Double(offsets[0])
    }

    /// The time of a moment as the zone's clocks show it: `2026-01-31 11:30:00`.
    package func text(of moment: Date) -> String {
        let shown = (moment + Double(offset(at: moment))).rfc3339.utf8
        return String(decoding: shown.prefix(10) + [0x20] + shown.dropFirst(11).prefix(8), as: UTF8.self)
    }
}
