import Foundation
import Testing

@testable import PayrelayPrimitives

@Suite struct ClockZoneTests {
    private func zone(_ name: String) throws -> ClockZone { .named(name, try #require(TimeZone(identifier: name))) }

    @Test("a time that clocks show twice is the first, and one that they skip is as much later") func moments() throws {
        let london = try zone("Europe/London")
        func moment(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int = 0) throws -> String {
            let day = try #require(CalendarDay(year: year, month: month, day: day))
            return london.moment(day, second: hour * 3_600 + minute * 60).rfc3339
        }
        #expect(try moment(2026, 3, 29, 0) == "2026-03-29T00:00:00Z")
        #expect(try moment(2026, 3, 29, 1, 30) == "2026-03-29T01:30:00Z")
        #expect(try moment(2026, 3, 30, 0) == "2026-03-29T23:00:00Z")
        #expect(try moment(2026, 10, 25, 1, 30) == "2026-10-25T00:30:00Z")
        #expect(try moment(2026, 10, 25, 2) == "2026-10-25T02:00:00Z")
        #expect(try moment(2060, 7, 1, 12) == "2060-07-01T11:00:00Z")
        let new = try zone("America/New_York")
        #expect(new.day(of: Date(timeIntervalSince1970: 1_800_000_000 - 8 * 3_600)).text == "2027-01-14")
        #expect(new.text(of: Date(timeIntervalSince1970: 1_800_000_000)) == "2027-01-15 03:00:00")
        #expect(ClockZone.utc.text(of: Date(timeIntervalSince1970: 0)) == "1970-01-01 00:00:00")
    }
}
