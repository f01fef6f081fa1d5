#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

@available(macOS 13, iOS 16, *)
extension Date {
    public static func + (moment: Date, duration: Duration) -> Date {
        moment.addingTimeInterval(duration.milliseconds / 1_000)
    }

    public static func - (moment: Date, duration: Duration) -> Date {
        moment + (.zero - duration)
    }

    public static func - (moment: Date, earlier: Date) -> Duration {
        .seconds(moment.timeIntervalSince(earlier))
    }

    /// Returns the moments that are at most this duration before or after this one.
    public func within(_ duration: Duration) -> ClosedRange<Date> { self - duration...self + duration }
}

@available(macOS 13, iOS 16, *)
extension Duration {
    /// The whole seconds, without the fraction.
    public var wholeSeconds: Int { Int(components.seconds) }

    /// The whole nanoseconds, without the fraction. For durations of less than 292 years.
    public var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    }

    /// The duration in milliseconds, with a precision of one microsecond.
    public var milliseconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) * 1_000 + Double(attoseconds / 1_000_000_000_000) / 1_000
    }
}
