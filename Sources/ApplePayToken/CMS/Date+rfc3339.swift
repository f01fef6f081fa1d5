import FoundationEssentials

extension Date {
    /// In UTC to the second, for example `2017-02-01T18:45:06Z`.
    ///
    /// By arithmetic, because a calendar costs more than all other words of a verification. The days are counted from
    /// 0000-03-01, so that a leap day is the last of its year (Hinnant, "chrono-compatible low-level date algorithms").
    var rfc3339: String {
        // From year 1 to 9999: the proleptic Gregorian calendar, in four digits.
        guard (-62_135_596_800..<253_402_300_800).contains(timeIntervalSince1970) else { return formatted(.iso8601) }
        let seconds = Int(timeIntervalSince1970.rounded(.down)) + 719_468 * 86_400
        let (days, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let (era, dayOfEra) = days.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)

        var text = Array("0000-00-00T00:00:00Z".utf8)
        let fields = [(year / 100, 0), (year % 100, 2), (month, 5), (day, 8)]
        for (number, place) in fields + [(second / 3600, 11), (second / 60 % 60, 14), (second % 60, 17)] {
            text[place] += UInt8(number / 10)
            text[place + 1] += UInt8(number % 10)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
