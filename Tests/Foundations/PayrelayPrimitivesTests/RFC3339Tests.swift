import Foundation
import PayrelayPrimitives
import Testing

@Suite struct RFC3339Tests {
    /// The times begin in 1583: for earlier ones Foundation uses the Julian calendar, unlike X.680 and RFC 3339.
    @Test func writesATimeAsFoundationDoes() {
        for _ in 0..<2000 {
            let moment = Date(timeIntervalSince1970: Double.random(in: -12_212_553_600..<253_402_300_800))
            let second = Date(timeIntervalSince1970: moment.timeIntervalSince1970.rounded(.down))
            #expect(moment.rfc3339 == second.formatted(.iso8601))
        }
    }

    /// Foundation cuts off fractions of a millisecond, and most milliseconds are stored a little too small in binary. The test
    /// therefore gives Foundation a moment within the millisecond.
    @Test func writesTheNearestMillisecond() {
        for _ in 0..<2000 {
            let milliseconds = Int.random(in: -12_212_553_600_000..<253_402_300_798_000)
            let moment = Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
            let foundation = moment.addingTimeInterval(0.000_3)
                .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
            #expect(moment.rfc3339InMilliseconds == foundation)
        }
    }

    /// No time has 60 seconds, and no fraction is 1,000 milliseconds.
    @Test func roundsUpToTheNextSecond() {
        #expect(Date(timeIntervalSince1970: 59.9996).rfc3339InMilliseconds == "1970-01-01T00:01:00.000Z")
        #expect(Date(timeIntervalSince1970: 59.9994).rfc3339InMilliseconds == "1970-01-01T00:00:59.999Z")
        #expect(Date(timeIntervalSince1970: -0.0004).rfc3339InMilliseconds == "1970-01-01T00:00:00.000Z")
        #expect(Date(timeIntervalSince1970: -0.001).rfc3339InMilliseconds == "1969-12-31T23:59:59.999Z")
    }
}
