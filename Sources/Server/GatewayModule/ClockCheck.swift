package import FoundationEssentials
import PayrelayPrimitives

/// The machine's clock against that of a server that answered. Tokens are refused by the clock, and leases and JWTs go by it.
package enum ClockCheck {
    /// In seconds. Beyond it tokens are refused that are not stale, where they are sent late.
    private static let tolerance = 30.0

    /// - Parameters:
    ///   - date: the answer's `Date` field (RFC 9110, 5.6.7); nil where it has none.
    ///   - received: when it came, by this machine's clock.
    package static func diagnostic(date: String?, received: Date) -> Diagnostic {
        guard let date, let sent = parse(date) else {
            return .unknown("clock", "no answer told its time", advice: "Synchronize the clock by NTP.")
        }
        let difference = received.timeIntervalSince(sent)
        guard abs(difference) > tolerance else {
            return .pass("clock", "it differs from the server's by \(Int(abs(difference)).counting("second"))")
        }
        return .fail(
            "clock",
            "it is \(Int(abs(difference)).counting("second")) \(difference > 0 ? "ahead of" : "behind") the server's",
            advice: "Synchronize it by NTP: fresh tokens are refused, or stale ones taken.")
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`. The obsolete forms are not sent by any server that is asked here.
    package static func parse(_ text: String) -> Date? {
        let parts = text.words
        guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]), let year = Int(parts[3]),
            let month = months.firstIndex(of: String(parts[2]))
        else { return nil }
        let time = parts[4].parts(at: ":").compactMap { Int($0) }
        guard time.count == 3, let date = CalendarDay(year: year, month: month + 1, day: day),
            (0...23).contains(time[0]), (0...59).contains(time[1]), (0...60).contains(time[2])
        else { return nil }
        return date.start().addingTimeInterval(Double(time[0] * 3_600 + time[1] * 60 + time[2]))
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
