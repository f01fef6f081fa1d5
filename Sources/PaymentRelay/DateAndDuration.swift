import FoundationEssentials

extension Date {
    static func + (moment: Date, duration: Duration) -> Date {
        moment.addingTimeInterval(duration.milliseconds / 1_000)
    }

    static func - (moment: Date, duration: Duration) -> Date {
        moment + (.zero - duration)
    }

    static func - (moment: Date, earlier: Date) -> Duration {
        .seconds(moment.timeIntervalSince(earlier))
    }
}

extension Duration {
    /// In milliseconds, to the microsecond.
    public var milliseconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) * 1_000 + Double(attoseconds / 1_000_000_000_000) / 1_000
    }
}
