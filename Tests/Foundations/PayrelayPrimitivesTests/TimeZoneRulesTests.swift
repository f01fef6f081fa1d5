import Foundation
import TestPrograms
import Testing

@testable import PayrelayPrimitives

/// Zones of the IANA database, held against Foundation's own reading of it.
@Suite(
    .enabled(if: FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/Asia/Dubai"), "tzdata is not installed"))
struct TimeZoneRulesTests {
    static let names = [
        "Asia/Dubai", "Asia/Riyadh", "Asia/Kolkata", "Asia/Kathmandu", "Europe/Kyiv", "Europe/London", "Europe/Dublin",
        "America/New_York", "America/Sao_Paulo", "America/Argentina/Buenos_Aires", "Australia/Lord_Howe", "Etc/GMT+5",
        "Pacific/Auckland", "UTC",
    ]

    private static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/" + name)))
    }

    private func zone(_ name: String) throws -> ClockZone {
        .named(name, try #require(TimeZoneRules(parsing: Self.bytes(name))))
    }

    @Test("an offset is what Foundation says, from 1972 to 2090", arguments: names)
    func offsets(name: String) throws {
        let zone = try zone(name)
        let foundation = try #require(TimeZone(identifier: name))
        // Some nine hours apart, so that each change is passed at every hour of the day.
        for step in 0..<110_000 {
            let moment = Date(timeIntervalSince1970: 63_072_000 + Double(step) * 33_853)
            guard zone.offset(at: moment) != foundation.secondsFromGMT(for: moment) else { continue }
            Issue.record("\(name) at \(moment): \(zone.offset(at: moment)), \(foundation.secondsFromGMT(for: moment))")
            return
        }
    }

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

    @Test("a file that is cut or spoiled is refused, or is another zone, and stops nothing")
    func spoiled() throws {
        let bytes = try Self.bytes("Europe/Kyiv")
        for length in 0..<bytes.count { #expect(TimeZoneRules(parsing: Array(bytes.prefix(length))) == nil) }
        var chance = SeededGenerator(seed: 7)
        for _ in 0..<5_000 {
            var spoiled = bytes
            spoiled[Int.random(in: 0..<bytes.count, using: &chance)] = UInt8.random(in: 0...255, using: &chance)
            for second in [-1e18, 0, 1.8e9, 1e12, .infinity, .nan] {
                _ = TimeZoneRules(parsing: spoiled)?.offset(at: Date(timeIntervalSince1970: second))
            }
        }
        #expect(TimeZoneRules(parsing: bytes + [UInt8](repeating: 0, count: 70_000)) == nil)
    }

    @Test(
        "a rule that POSIX does not have is none",
        arguments: [
            "", "E", "EET", "EET-25", "EET-2EEST", "EET-2EEST,", "EET-2EEST,M3.5.0", "EET-2EEST,M13.5.0,M10.5.0",
            "EET-2EEST,M3.6.0,M10.5.0", "EET-2EEST,M3.5.7,M10.5.0", "EET-2EEST,J0,J300", "EET-2EEST,J1,366",
            "EET-2EEST,M3.5.0/168,M10.5.0", "EET-2EEST,M3.5.0,M10.5.0,", "<+0-2", "<>-2", "EET--2", "EET-2:60",
            "EET-99999",
            "EET-2\nEEST", "EET-2EEST,M3.5.0/3M10.5.0/4",
        ])
    func noRules(text: String) { #expect(PosixZoneRule(parsing: Array(text.utf8)) == nil) }

    @Test(
        "days of a rule are counted as POSIX counts them",
        arguments: [
            ("AAA0BBB,J60,J61", "2028-03-01T02:00:00Z"), ("AAA0BBB,59,60/0", "2028-02-29T02:00:00Z"),
            ("AAA0BBB,J59/0,J60", "2028-02-28T00:00:00Z"), ("AAA0BBB,M2.5.2/0,M3.1.0", "2028-02-29T00:00:00Z"),
            ("AAA0BBB,M2.1.2/-24,M3.1.0", "2028-01-31T00:00:00Z"),
        ])
    func days(text: String, start: String) throws {
        let rule = try #require(PosixZoneRule(parsing: Array(text.utf8)))
        let second = Int(try Date(start, strategy: .iso8601).timeIntervalSince1970)
        #expect(rule.offset(at: second - 1) == 0 && rule.offset(at: second) == 3_600)
    }
}
