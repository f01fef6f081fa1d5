import AccessControl
import Foundation
import HTTPTypes
import JournalContract
import PaymentRelay
import PayrelayPrimitives
import Testing

@testable import Console

/// The page of all changes, with the operators who made them.
@Suite struct ChangesPageTests {
    private let bench: ConsoleBench

    init() throws { bench = try ConsoleBench() }

    private func references(_ answer: ConsoleBench.Answer) -> [String] {
        answer.text.matches(of: /<th scope="row"><a href="[^"]+"><bdi>([^<]*)<\/bdi>/).map { String($0.output.1) }
    }

    private func refund(_ reference: String) async throws {
        let browser = try await bench.browser(.finance)
        let page = try await browser.open("/console/payment/refund?reference=\(reference)&amount=40.00")
        let form = [("key", try #require(page.hidden("key"))), ("amount", "40.00"), ("confirmation", "40.00")]
        #expect(try await browser.submit(try #require(page.action), form).status == 303)
    }

    /// Makes a payment that is captured and refunded in part, and whose events are sent again.
    private func refundAndSendAgain() async throws -> Browser {
        await bench.add("ORDER-1", event: Array(#"{"type":"payment.captured"}"#.utf8))
        try await refund("ORDER-1")
        let support = try await bench.browser(.support)
        #expect(try await support.submit("/console/payment/resend?reference=ORDER-1").status == 303)
        return support
    }

    @Test("every change is listed newest first, page by page, also of a payment of last week")
    func everyChange() async throws {
        for number in 0..<120 { await bench.add("P-\(number)", at: Date() - 7 * 86_400 + Double(number)) }
        try await refund("P-0")
        let browser = try await bench.browser(.viewer)
        var (path, found) = ("/console/changes", [String]())
        while true {
            let page = try await browser.get(path)
            #expect(page.status == 200)
            found += references(page)
            guard let next = page.text.firstMatch(of: /href="([^"]+)">Older changes/) else { break }
            path = String(next.output.1).replacing("&amp;", with: "&").replacing("&#61;", with: "=")
        }
        #expect(found == ["P-0", "P-0"] + (0..<120).reversed().map { "P-\($0)" })
        let first = try await browser.get("/console/changes").text
        #expect(first.contains("refunded 40.00 AED") && first.contains("was Captured"))
        #expect(first.contains("Refund of 40.00 AED begun"))
        #expect(first.contains("By the operator <b><bdi>a-finance</bdi></b>"))
        let live = try await browser.get("/console/live/events").text
        #expect(live.contains(#""reference":"P-0""#), "the live page has the payment of last week, too")
    }

    @Test("filters find by kind, account, payment and time, and an unreadable filter is reported")
    func filters() async throws {
        await bench.add("OLD", at: Date(timeIntervalSince1970: 1_600_000_000))
        await bench.add("NEW")
        try await refund("NEW")
        let browser = try await bench.browser(.viewer)
        func found(_ query: String) async throws -> [String] {
            references(try await browser.get("/console/changes?" + query))
        }
        #expect(try await found("kind=refund") == ["NEW", "NEW"])
        #expect(try await found("kind=operator") == ["NEW", "NEW"])
        #expect(try await found("kind=void").isEmpty)
        #expect(try await found("reference=OLD") == ["OLD"])
        #expect(try await found("account=default").count == 4)
        #expect(try await found("account=other").isEmpty)
        #expect(try await found("from=2020-09-13&to=2020-09-14") == ["OLD"])
        #expect(try await found("from=2020-09-13+16:26&to=2020-09-13+16:27&zone=%2B04:00") == ["OLD"])
        for (query, error) in [
            ("kind=paid", "Kind must be one of the list."), ("from=x", "From must be a day"),
            ("from=2027-01-16&to=2027-01-15", "Before must be later"), ("zone=Dubai", "Zone must be Z"),
            ("account=" + String(repeating: "a", count: 200), "Account must be 1 to 100"),
            ("reference=" + String(repeating: "a", count: 300), "Payment is not a merchant_reference."),
            ("reference=a%00b", "Payment is not a merchant_reference."),
        ] {
            for path in ["/console/changes?", "/console/audit?"] {
                let page = try await browser.get(path + query)
                #expect(page.status == 400 && page.text.contains(error), "\(query)")
            }
        }
        for query in [
            "kind=operator", "operator=%01", "operator=a%20b", "operator=" + String(repeating: "a", count: 65),
        ] {
            #expect(try await browser.get("/console/audit?" + query).status == 400, "\(query)")
        }
    }

    @Test(
        "a forged cursor is refused",
        arguments: [
            "x", "1", "1-", "-", "1-AAAA", "-1-AAAAAAAAQQ", "99999999999-AAAAAAAAQQ", "1-____________",
            "1e3-AAAAAAAAQQ",
            "1-" + String(repeating: "A", count: 2_000), "1-AAAAAAAAAA%3D%3D",
        ])
    func forgedCursor(text: String) async throws {
        await bench.add("ORDER-1")
        let browser = try await bench.browser(.viewer)
        let page = try await browser.get("/console/changes?after=\(text)")
        #expect(page.status == 400 && page.text.contains("The page is not one of this list."))
        #expect(references(page).isEmpty)
    }

    @Test("a cursor holds the end of a page, and nothing else")
    func cursor() {
        let place = ChangeCursor(
            at: Date(timeIntervalSince1970: 1_800_000_000.125), merchantReference: "a-b\u{1F600}", number: 7)
        #expect(ChangeCursor(place.text) == place)
        #expect(ChangeCursor("7-AAAAAAAAQQ")?.merchantReference == "A")
    }

    @Test("the audit page has only operators' requests, with their names")
    func audit() async throws {
        _ = try await refundAndSendAgain()
        let browser = try await bench.browser(.viewer)
        let all = try await browser.get("/console/audit")
        #expect(references(all).count == 3)
        #expect(all.text.contains("the events are sent again"))
        let one = try await browser.get("/console/audit?operator=a-support")
        #expect(references(one).count == 1 && !one.text.contains("a-finance"))
        #expect(references(try await browser.get("/console/audit?operator=a-finance&kind=refund")).count == 2)
        #expect(references(try await browser.get("/console/audit?operator=a-")).isEmpty)
    }

    @Test("both are files in UTC and in the operator's zone, and no cell begins a formula")
    func files() async throws {
        for (number, text) in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "a,\"b\"\r\nc"].enumerated() {
            await bench.add("=R-\(number)", reason: text, at: Date(timeIntervalSince1970: 1_600_000_000))
        }
        for number in 0..<450 { await bench.add("P-\(number)") }
        let browser = try await bench.browser(.support)
        let day = CalendarDay(Date() + 14_400).text
        let answer = try await browser.get("/console/changes.csv?zone=%2B04:00&account=default")
        #expect(
            [day, CalendarDay(Date() + 14_400).text].map {
                "attachment; filename=\"changes_account-default_\($0).csv\""
            }.contains(answer.headers[.contentDisposition] ?? ""))
        #expect(answer.headers[.contentType]?.hasPrefix("text/csv") == true)
        let lines = answer.text.split(separator: "\r\n", omittingEmptySubsequences: true)
        #expect(lines.first?.hasPrefix("at,at +04:00,merchant_reference,outcome,") == true)
        #expect(lines.count { $0.contains(",P-") } == 450)
        #expect(
            answer.text.contains(
                "2020-09-13T12:26:40Z,2020-09-13 16:26:40,'=R-0,captured,,100.00,,100.00,0.00,AED,default,"))
        for text in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1"] { #expect(answer.text.contains("'" + text)) }
        for line in lines {
            #expect(!line.split(separator: ",").contains { cell in "=+-@".contains(cell.first ?? "x") }, "\(line)")
        }
        #expect(try await browser.get("/console/audit.csv").text.split(separator: "\r\n").count == 1)
        #expect(try await browser.get("/console/changes.csv?kind=paid").status == 400)
        for path in ["/console/changes", "/console/audit"] {
            let viewer = try await bench.browser(.viewer)
            #expect(try await viewer.get(path + ".csv").status == 403)
            #expect(try await !viewer.get(path).text.contains(path + ".csv"))
            #expect(try await bench.send(.get, path).status == 303)
        }
    }

    @Test("the file has references as the file of payments has them: none becomes another number")
    func referencesStayAsTheyAre() async throws {
        for reference in ["123456789012", "00123", "12E456", "1001"] { await bench.add(reference) }
        let csv = try await bench.browser(.support).get("/console/changes.csv").text
        let references = csv.split(separator: "\r\n").dropFirst().map { $0.split(separator: ",")[2] }
        #expect(Set(references) == ["'123456789012", "'00123", "'12E456", "1001"])
    }

    @Test("the file's columns of movements add up to the moved amounts, and are empty for a change that moved nothing")
    func sums() async throws {
        let browser = try await refundAndSendAgain()
        let lines = try await browser.get("/console/changes.csv").text.split(separator: "\r\n")
            .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        let header = try #require(lines.first)
        func cells(_ column: String) throws -> [String] {
            let place = try #require(header.firstIndex(of: Substring(column)))
            return lines.dropFirst().map { String($0[place]) }
        }
        // The newest change is first: the events sent again, the refund done, the refund begun, the charge.
        #expect(try cells("captured_change") == ["", "", "", "100.00"])
        #expect(try cells("refunded_change") == ["", "40.00", "", ""])
        #expect(try cells("captured_in_all") == ["100.00", "100.00", "100.00", "100.00"])
        #expect(try cells("refunded_in_all") == ["40.00", "40.00", "0.00", "0.00"])
    }

    @Test("the file has the amount that a change moved, even if the entries before it are in the archive")
    func afterArchive() {
        let entry = HistoryEntry(
            at: Date(timeIntervalSince1970: 1_600_000_000), state: .partiallyRefunded,
            balance: Balance(captured: 10_000, refunded: 4_000))
        let change = RecordedChange(
            merchantReference: "ORDER-1", currency: "AED", account: nil, gateway: "fort", entry: entry,
            stateBefore: nil, moved: Balance(refunded: 4_000))
        #expect(ChangeCSV(zone: .utc).row(change).contains(",partially_refunded,,,40.00,100.00,40.00,AED,"))
    }

    @Test("a list of changes has no customer's data, and nothing in it is markup")
    func escapes() async throws {
        let hostile = #"<img src=x onerror="alert(1)">"# + "\"\u{301}"
        await bench.add(hostile, response: ["customer_email": "sara@example.com"], reason: hostile)
        let browser = try await bench.browser(.finance)
        for path in ["/console/changes", "/console/changes?account=%22%3E%3Cimg%3E&kind=%22%3E%3Cimg"] {
            let text = try await browser.get(path).text
            #expect(!text.contains("<img src=x") && !text.contains("\"><img>") && !text.contains("sara@"))
            #expect(text.contains("&lt;img"))
        }
        #expect(try await !browser.get("/console/changes.csv").text.contains("sara@"))
    }
}
