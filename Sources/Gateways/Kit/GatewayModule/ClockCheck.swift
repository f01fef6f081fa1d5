package import FoundationEssentials
import PayrelayPrimitives

/// Compares the machine's clock with the clock of a server that answered. Token freshness, leases and JWTs depend
/// on the machine's clock.
package enum ClockCheck {
    /// The tolerance in seconds. With a larger difference, fresh tokens that were sent late are rejected.
    private static let tolerance = 30.0

    /// Returns the diagnostic on the clock.
    ///
    /// - Parameters:
    ///   - date: the response's `Date` field (RFC 9110, 5.6.7); `nil` if it has none.
    ///   - received: when the response arrived, by this machine's clock.
    package static func diagnostic(date: String?, received: Date) -> Diagnostic {
        guard let date, let sent = parse(date) else {
            return .unknown("clock", "no answer had its time", advice: "Synchronize the clock by NTP.")
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

    /// Parses a date such as `Sun, 06 Nov 1994 08:49:37 GMT`. The obsolete formats are not supported, because no
    /// server that is queried here sends them.
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
