import FoundationEssentials

extension Date {
    static func + (moment: Date, duration: Duration) -> Date {
        moment.addingTimeInterval(duration.milliseconds / 1_000)
    }

    static func - (moment: Date, duration: Duration) -> Date {
        moment + (.zero - duration)
    }
}
