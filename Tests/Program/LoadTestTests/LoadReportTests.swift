import Foundation
import Observability
import PayrelayAPI
import Testing

@testable import payrelay_dev

@Suite struct LoadReportTests {
    private func report(
        _ verdict: PaymentVerdict = .outcome(.captured), latency: Duration = .milliseconds(2),
        lateness: Duration = .zero, audits: [BooksAudit] = [BooksAudit(reported: [:], books: [])],
        target: String = "http://x"
    ) -> LoadReport {
        let schedule = ArrivalSchedule(rate: 100, duration: .seconds(1))
        var recording = LoadRecording(schedule)
        for number in 0..<schedule.count {
            recording.begin()
            let due = schedule.due(number)
            recording.end(
                number, sent: due + lateness, ended: due + latency, number == 7 ? verdict : .outcome(.captured))
        }
        let settings = LoadSettings(
            target: target, ownServers: false, gateways: ["fort"], rate: 100, duration: .seconds(1), connections: 8,
            tokenFolder: nil,
            preparation: .seconds(1))
        return LoadReport(settings: settings, machine: .current(), recording: recording, audits: audits)
    }

    @Test func aRunIsASuccessOnlyWhenEachPaymentIs() {
        #expect(report().failures.isEmpty)
        for verdict in [.declined, .uncertain, .notProcessed].map(PaymentVerdict.outcome) + [
            .refused(status: 409, problem: "in-flight"), .noAnswer(reason: "x"), .notSent(reason: "x"), .leftOut,
        ] {
            #expect(report(verdict).failures == ["1 of 100 payments were no success"], "\(verdict)")
        }
    }

    @Test func unequalBooksAreAFailure() {
        let audit = BooksAudit(reported: ["A": .outcome(.captured)], books: [])
        #expect(report(audits: [audit]).failures == ["1 differences between the books and what the relay reported"])
        #expect(report(audits: [audit]).summary.contains("A was reported as charged and is not in the books"))
    }

    @Test func aGeneratorThatFellBehindSaysSo() {
        #expect(report(lateness: .microseconds(100)).caveats.isEmpty)
        let late = report(latency: .milliseconds(20), lateness: .milliseconds(18))
        #expect(late.caveats.count == 1)
        #expect(late.html.contains("fell behind"))
    }

    @Test func aTargetsAnswerStaysTextInThePage() {
        let html = report(.outcome(PaymentOutcome(rawValue: "<script>alert(1)</script>")), target: "http://x/\"><u>")
            .html
        #expect(!html.contains("<script>") && html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
        #expect(!html.contains("<u>"))
    }

    @Test func thePageIsWellFormedAndItsLinesStayWithinTheirPictures() throws {
        let html = report().html
        // The part between the tags that HTML leaves open is XML.
        let body = try #require(html.range(of: "<main>")).lowerBound..<(#require(html.range(of: "</main>")).upperBound)
        let document = try PageParser.parse(String(html[body]))
        #expect(document.elements["svg"] == 3)
        #expect(document.elements["path"] == 8)
        for point in document.points {
            #expect((0...720).contains(point.0) && (0...280).contains(point.1))
        }
        #expect(document.points.count > 50)
    }

    @Test(arguments: [
        (0.0000004, "0 µs"), (0.000850, "850 µs"), (0.00125, "1.25 ms"), (0.0999, "99.9 ms"), (0.1, "100 ms"),
        (0.9996, "1 s"), (30, "30 s"), (1_234.5, "1,235 s"),
    ]) func durationsAreWrittenWithThreeDigitsAndTheirUnit(seconds: Double, text: String) {
        #expect(Duration.seconds(seconds).text == text)
    }

    @Test(arguments: [(0.0, 0, "0"), (1_234_567.891, 1, "1,234,567.9"), (-0.04, 1, "0.0"), (-1_000.5, 2, "-1,000.50")])
    func numbersAreWrittenWithCommasBetweenThousands(number: Double, decimals: Int, text: String) {
        #expect(number.text(decimals: decimals) == text)
    }
}
