import Foundation
import PayrelayPrimitives
import Testing

@Suite struct CalendarDayTests {
    @Test(arguments: [
        (0.0, "1970-01-01"), (86_399.9, "1970-01-01"), (86_400, "1970-01-02"), (1_795_392_000, "2026-11-23"),
        (1_795_478_399, "2026-11-23"), (253_402_300_799, "9999-12-31"),
    ])
    func aDayEndsAtMidnightUTC(seconds: Double, text: String) {
        #expect(CalendarDay(Date(timeIntervalSince1970: seconds)).text == text)
    }

    @Test func beginsAtItsFirstMoment() {
        let day = CalendarDay(Date(timeIntervalSince1970: 1_795_478_399))
        #expect(day.start() == Date(timeIntervalSince1970: 1_795_392_000))
        #expect(CalendarDay(day.start()) == day)
        #expect(CalendarDay(day.start() - 1) < day)
    }

    @Test(arguments: [-1, 2_932_897, Int.max, Int.min])
    func noDayIsReadFromANumberThatNoneHas(number: Int) {
        #expect(CalendarDay(daysSince1970: number) == nil)
    }

    @Test(arguments: [-1e300, 1e300, -1, .nan, .infinity, -.infinity])
    func aMomentBeyondAllDaysIsTheNearest(seconds: Double) {
        #expect((0...2_932_896).contains(CalendarDay(Date(timeIntervalSince1970: seconds)).daysSince1970))
    }
}
