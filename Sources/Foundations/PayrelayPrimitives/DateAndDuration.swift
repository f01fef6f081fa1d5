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

    /// The moments that are no further from this one, before or after it.
    public func within(_ duration: Duration) -> ClosedRange<Date> { self - duration...self + duration }
}

@available(macOS 13, iOS 16, *)
extension Duration {
    /// Without the fraction.
    public var wholeSeconds: Int { Int(components.seconds) }

    /// Without the fraction. For durations of less than 292 years.
    public var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    }

    /// In milliseconds, to the microsecond.
    public var milliseconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) * 1_000 + Double(attoseconds / 1_000_000_000_000) / 1_000
    }
}
