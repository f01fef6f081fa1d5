import AccessControl
import Foundation
import HTTPTypes
import PaymentRelay
import PayrelayPrimitives
import Testing

@testable import Console

/// Times in a time zone that is given by its name.
@Suite struct ZoneTests {
    private let bench: ConsoleBench

    init() throws { bench = try ConsoleBench() }

    @Test("a form and a file take a zone by its name, whose clocks may change")
    func forms() async throws {
        // The times are noon in London, in summer and in winter.
        await bench.add("SUMMER", at: Date(timeIntervalSince1970: 1_782_903_600))
        await bench.add("WINTER", at: Date(timeIntervalSince1970: 1_768_478_400))
        let browser = try await bench.browser(.support)
        for (day, name) in [("2026-07-01", "SUMMER"), ("2026-01-15", "WINTER")] {
            for path in ["/console/payments?claimed_from", "/console/changes?from"] {
                let noon = try await browser.get("\(path)=\(day)+12:00&zone=Europe/London").text
                let later = try await browser.get("\(path)=\(day)+12:01&zone=Europe/London").text
                #expect(noon.contains(">\(name)<"), "\(path)")
                #expect(!later.contains(">\(name)<"), "\(path)")
            }
            #expect(
                try await browser.get("/console/settlement?day=\(day)&zone=Europe/London").text.contains("100.00 AED"))
        }
        let csv = try await browser.get("/console/payments.csv?zone=Europe%2FLondon").text
        #expect(csv.contains("claimed_at Europe/London"))
        #expect(csv.contains("2026-07-01 12:00:00") && csv.contains("2026-01-15 12:00:00"))
        let changes = try await browser.get("/console/changes.csv?zone=Europe/London").text
        #expect(changes.contains("2026-07-01T11:00:00Z,2026-07-01 12:00:00,SUMMER"))
    }

    @Test("an operator chooses a zone for the session; an address with times that names none stays UTC")
    func chosen() async throws {
        let browser = try await bench.browser(.support)
        #expect(
            try await browser.get("/console/settlement").text.contains(
                #"name="zone" maxlength="64" autocomplete="off" value="Z""#))
        #expect(try await browser.submit("/console/zone", [("zone", "Asia/Dubai")]).status == 303)
        let page = try await browser.get("/console/settlement").text
        #expect(page.contains("Times are of Asia/Dubai.") && page.contains(#"data-zone="Asia/Dubai""#))
        for path in ["/console/settlement", "/console/payments", "/console/changes", "/console/audit"] {
            #expect(try await browser.get(path).text.contains(#"value="Asia/Dubai""#), "\(path)")
        }
        #expect(try await browser.get("/console/payments.csv").text.contains("claimed_at Asia/Dubai"))
        #expect(try await browser.get("/console/payments?claimed_from=2026-01-31").text.contains(#"value="Z""#))
        // Another session has another zone.
        #expect(try await !bench.browser(.support).get("/console").text.contains("data-zone=\"Asia"))
        #expect(try await browser.submit("/console/zone", [("zone", "")]).status == 303)
        #expect(try await !browser.get("/console").text.contains("data-zone=\"Asia"))
    }

    @Test(
        "no name of a zone leads to another file, and a name that is not a zone is refused",
        arguments: [
            "../../../etc/passwd", "/etc/localtime", "Asia/../Asia/Dubai", "Asia", "Asia/Dubai/", "Asia//Dubai",
            "asia/nowhere",
            "zone.tab", "tzdata.zi", "right/Asia/Dubai", "Asia/Dubai\u{0}", "<script>", "+04:00", "Asia/Dubái",
            "GMT+5", "gmt",
            String(repeating: "A", count: 300),
        ])
    func hostileNames(name: String) async throws {
        #expect(ZoneDatabase.named(name) == nil)
        let browser = try await bench.browser(.viewer)
        let answer = try await browser.submit("/console/zone", [("zone", name)])
        #expect(answer.status == 400 && !answer.text.contains("<script>alert"))
        #expect(try await !browser.get("/console").text.contains(" data-zone=\"\(name.prefix(20))"))
    }

    @Test("shown amounts have a comma between thousands, and typed ones have none") func amounts() async throws {
        await bench.add("LARGE", amount: 123_456_789)
        let browser = try await bench.browser(.finance)
        #expect(try await browser.get("/console/payment?reference=LARGE").text.contains("1,234,567.89 AED"))
        #expect(try await browser.get("/console/payments").text.contains("1,234,567.89 AED"))
        #expect(
            try await browser.open("/console/payment/refund?reference=LARGE").text.contains(#"value="1234567.89""#))
    }
}
