public import FoundationEssentials
import PayrelayPrimitives

/// The days whose bills `result` shows. According to recorded answers of Portmone's older interface, a query
/// without days shows only the last month, so an older payment would not be found.
public struct ResultPeriod: Sendable, Hashable {
    /// The first day, in Portmone's format `dd.MM.yyyy`.
    let start: String
    let end: String

    /// Creates the period from the first bill until now. It covers at least the last month, because an earlier
    /// attempt for the order may be older than the payment.
    ///
    /// No document says in which time zone the days are, so the period has one more day at each end.
    ///
    /// - Parameters:
    ///   - first: the earliest moment at which a relevant bill can have been created.
    ///   - moment: the time of the query.
    public init(since first: Date, at moment: Date) {
        start = Self.text(of: min(first - Self.day, moment - Self.day * 30))
        end = Self.text(of: moment + Self.day)
    }

    private static let day = Duration.seconds(86_400)

    private static func text(of moment: Date) -> String {
        CalendarDay(moment).text.parts(at: "-").reversed().joined(separator: ".")
    }
}
