import FoundationEssentials
import PayrelayPrimitives
import RelayServer

/// The times "from" and "before" of a form, as people type them, in the form's zone.
struct TypedTimes {
    let from: String?
    let to: String?
    private let zoneText: String?

    /// - Parameter zone: the zone in the form; `nil` for UTC.
    init(from: String?, to: String?, zone: String?) {
        self.from = from
        self.to = to
        zoneText = zone
    }

    var zoneOrUTC: ClockZone { (try? zone()) ?? .utc }

    var today: CalendarDay { zoneOrUTC.day(of: Date()) }

    func zone() throws(ValidationErrors) -> ClockZone {
        guard let text = zoneText else { return .utc }
        guard let zone = ZoneDatabase.zone(text) else {
            throw ValidationErrors([
                ValidationError(
                    field: "zone",
                    detail: "must be Z for UTC, an offset from it, such as +04:00, or a zone's name, such as Asia/Dubai"
                )
            ])
        }
        return zone
    }

    /// Returns `claimed_from` and `claimed_to` for a search.
    ///
    /// - Throws: the first time that cannot be read.
    func parameters() throws(ValidationErrors) -> [(name: String, value: String)] {
        _ = try zone()
        var times: [(name: String, value: String)] = []
        for (name, text) in [("claimed_from", from), ("claimed_to", to)] {
            guard let text else { continue }
            if let days = DayRange(words: text, today: today) {
                let range = try parameters(of: days)
                // "From yesterday" means only yesterday if there is no "before".
                times += name == "claimed_from" && to == nil ? range : [(name, range[0].value)]
                continue
            }
            times.append((name, try moment(text, of: name)))
        }
        return times
    }

    /// Returns a typed time as RFC 3339, in the zone of the form. "today", "yesterday" and "last 7 days" become the
    /// beginning of their first day.
    ///
    /// - Parameter field: the name of the parameter.
    func moment(_ text: String, of field: String) throws(ValidationErrors) -> String {
        let zone = try zone()
        if let days = DayRange(words: text, today: today) { return zone.moment(days.first).rfc3339 }
        if let moment = RelativeMoment(text, before: Date(), at: zone, mayBeAhead: field == "claimed_to") {
            return moment.date.rfc3339
        }
        guard let moment = Self.moment(text, at: zone) else {
            throw ValidationErrors([
                ValidationError(
                    field: field,
                    detail:
                        "must be a day, 2026-01-31, a time, 2026-01-31 11:30 or 23:00, or today, yesterday, last 7 days, last hour, 2 hours ago"
                )
            ])
        }
        return moment
    }

    /// Returns `claimed_from` and `claimed_to` for days in words.
    func parameters(of days: DayRange) throws(ValidationErrors) -> [(name: String, value: String)] {
        let zone = try zone()
        return [("claimed_from", zone.moment(days.first).rfc3339)]
            + (days.end.map { [("claimed_to", zone.moment($0).rfc3339)] } ?? [])
    }

    /// Returns a time in the form of a search's parameter; `nil` if it cannot be read. `2026-01-31`, `2026-01-31
    /// 11:30` and `2026-01-31 11:30:05` are in the form's zone; a moment in RFC 3339 names its own zone.
    private static func moment(_ text: String, at zone: ClockZone) -> String? {
        let rest = text.utf8.dropFirst(10)
        guard let day = CalendarDay(parsing: String(Substring(text.utf8.prefix(10)))) else { return nil }
        if rest.isEmpty { return zone.moment(day).rfc3339 }
        let clock = Array(rest.dropFirst())
        guard rest.first == UInt8(ascii: " ") || rest.first == UInt8(ascii: "T") else { return nil }
        guard clock.count == 5 || clock.count == 8 else { return text }
        var parts: [Int] = []
        for (index, byte) in clock.enumerated() {
            if index % 3 == 2 {
                guard byte == UInt8(ascii: ":") else { return nil }
            } else {
                guard byte.isASCIIDigit else { return nil }
                if index % 3 == 0 { parts.append(0) }
                parts[parts.count - 1] = parts[parts.count - 1] * 10 + Int(byte - 0x30)
            }
        }
        guard parts[0] < 24, parts.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        let seconds = zip(parts, [3_600, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 }
        return zone.moment(day, second: seconds).rfc3339
    }
}
