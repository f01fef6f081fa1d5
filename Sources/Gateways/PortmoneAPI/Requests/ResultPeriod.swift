public import FoundationEssentials
import PayrelayPrimitives

/// The days whose bills `result` shows. Asked without them it shows the last month, as recorded answers of Portmone's older interface
/// say, and an older payment is not found.
public struct ResultPeriod: Sendable, Hashable {
    /// As Portmone reads it: `dd.MM.yyyy`.
    let start: String
    let end: String

    /// At least the last month: an earlier try of an order may be older than the payment.
    ///
    /// No document says in which zone the days are. One more at each end has them all.
    ///
    /// - Parameters:
    ///   - first: when the first bill that matters can have been made.
    ///   - moment: when it is asked.
    public init(since first: Date, at moment: Date) {
        start = Self.text(of: min(first - Self.day, moment - Self.day * 30))
        end = Self.text(of: moment + Self.day)
    }

    private static let day = Duration.seconds(86_400)

    private static func text(of moment: Date) -> String {
        CalendarDay(moment).text.parts(at: "-").reversed().joined(separator: ".")
    }
}
