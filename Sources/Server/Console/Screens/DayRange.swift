import PayrelayPrimitives

/// A range of days that is written in words.
struct DayRange: Equatable {
    let first: CalendarDay
    /// The first day after the range; `nil` if the range extends to now.
    let end: CalendarDay?

    /// Parses `today`, `yesterday` or `last 7 days`, in any case. Returns `nil` for any other text.
    init?(words text: String, today: CalendarDay) {
        func day(_ ago: Int) -> CalendarDay? { CalendarDay(daysSince1970: today.daysSince1970 - ago) }
        let words = text.lowercasedASCII.parts(at: " ").filter { !$0.isEmpty }
        switch words {
        case ["today"]: (first, end) = (today, nil)
        case ["yesterday"]:
            guard let yesterday = day(1) else { return nil }
            (first, end) = (yesterday, today)
        default:
            guard words.count == 3, words[0] == "last", ["day", "days"].contains(words[2]), words[1].utf8.count <= 4,
                words[1].utf8.allSatisfy(\.isASCIIDigit), let count = Int(words[1]), count > 0,
                let start = day(count - 1)
            else { return nil }
            (first, end) = (start, nil)
        }
    }
}
