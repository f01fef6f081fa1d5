import AccessControl
import FortModule
import Foundation
import HTTPTypes
import JournalContract
import PaymentRelay
import PayrelayPrimitives
import RelayServer
import Testing

@testable import Console

/// The list of payments as a file.
@Suite struct ExportTests {
    private let bench: ConsoleBench

    init() throws { bench = try ConsoleBench() }

    private func lines(_ answer: ConsoleBench.Answer) -> [Substring] {
        answer.text.split(separator: "\r\n")
    }

    @Test("The file has every payment that the filters describe, for any number of pages in the list")
    func everyPayment() async throws {
        for number in 0..<450 { await bench.add("P-\(number)", state: number < 420 ? .captured : .declined) }
        let browser = try await bench.browser(.support)
        let page = try await browser.get("/console/payments?outcome=captured").text
        #expect(
            page.contains(#"<a href="/console/payments.csv?outcome&#61;captured" download>"#)
                || page.contains(#"<a href="/console/payments.csv?outcome=captured" download>"#))
        let day = CalendarDay(Date()).text
        let answer = try await browser.get("/console/payments.csv?outcome=captured")
        let days = [day, CalendarDay(Date()).text]
        #expect(answer.status == 200)
        #expect(answer.headers[.contentType]?.hasPrefix("text/csv") == true)
        #expect(
            days.map { "attachment; filename=\"payments_captured_\($0).csv\"" }
                .contains(answer.headers[.contentDisposition] ?? ""))
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(lines(answer).count == 421)
        #expect(
            answer.text.hasPrefix(
                PaymentCSV(AnswerVocabulary([(FortModule.name, FortModule.answerFields)]), forPeopleIn: .utc).header))
        #expect(Set(lines(answer).dropFirst().map { $0.prefix { $0 != "," } }).count == 420)
    }

    @Test("People get major units, their zone and the customer, and FORT's number as text")
    func forPeople() async throws {
        let payment = Payment(
            merchantReference: "ORDER-7", command: .purchase, amount: 10_500, currency: "KWD", fingerprint: nil,
            appleTransactionIdentifier: nil, claimedAt: Date(timeIntervalSince1970: 1_800_000_000), gateway: "fort",
            state: .captured, balance: Balance(captured: 10_500), gatewayReference: "149295435400084008",
            customer: CustomerDetails(email: "=sara@example.com", cardDisplayName: "Visa 0492"),
            summary: ["fort_id": "149295435400084008"])
        _ = try await bench.journal.record(payment, because: HistoryEntry(at: Date(), state: .captured))
        let answer = try await bench.browser(.support).get(
            "/console/payments.csv?zone=%2B04:00&q=a%40b.example%22%0d%0a&currency=KWD")
        #expect(lines(answer).count == 1)
        let disposition = try #require(answer.headers[.contentDisposition])
        #expect(disposition.hasPrefix("attachment; filename=\"payments_email_KWD_20"))
        let csv = try await bench.browser(.support).get("/console/payments.csv?zone=%2B04:00").text
        #expect(csv.contains("claimed_at +04:00"))
        #expect(csv.contains(",'149295435400084008,"))
        #expect(csv.hasSuffix(",10.500,10.500,0.000,2027-01-15 12:00:00,'=sara@example.com,Visa 0492\r\n"))
    }

    @Test("Texts that a spreadsheet would change are written as text, and amounts as numbers")
    func textsStayAsTheyAre() async throws {
        let payment = Payment(
            merchantReference: "00123", command: .purchase, amount: 10_500, currency: "AED", fingerprint: nil,
            appleTransactionIdentifier: nil, claimedAt: Date(timeIntervalSince1970: 1_800_000_000), gateway: "fort",
            state: .captured, balance: Balance(captured: 10_500),
            summary: ["fort_id": "149295435400084008", "authorization_code": "12E456", "response_code": "00008"])
        _ = try await bench.journal.record(payment, because: HistoryEntry(at: Date(), state: .captured))
        let csv = try await bench.browser(.support).get("/console/payments.csv").text
        #expect(csv.contains("\r\n'00123,2027-01-15T08:00:00"), "\(csv)")
        #expect(csv.contains(",captured,10500,AED,10500,0,'149295435400084008,,,'12E456,'00008,"), "\(csv)")
        #expect(csv.contains(",105.00,105.00,0.00,2027-01-15 08:00:00,"), "\(csv)")
    }

    @Test(
        "No cell begins a formula",
        arguments: [
            ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"), ("\t=1", "'\t=1"),
            ("\r=1", "'\r'=1"), ("＝1", "'＝1"),
        ])
    func noFormula(text: String, cell: String) async throws {
        await bench.add("R-\(text.unicodeScalars.first?.value ?? 0)", response: ["response_message": .string(text)])
        let csv = try await bench.browser(.finance).get("/console/payments.csv").text
        #expect(csv.contains(cell))
        #expect(!csv.contains("," + text) && !csv.contains("\"" + text))
    }

    @Test("A viewer gets a page that says which role it takes, and a stranger the login")
    func roles() async throws {
        await bench.add("ORDER-1")
        let viewer = try await bench.browser(.viewer)
        let refused = try await viewer.get("/console/payments.csv")
        #expect(refused.status == 403 && refused.text.contains("It takes the role support"))
        #expect(!refused.text.contains("ORDER-1"))
        #expect(try await !viewer.get("/console/payments").text.contains("payments.csv"))
        #expect(try await bench.send(.get, "/console/payments.csv").status == 303)
    }

    @Test("A filter that cannot be read is a page, and no empty file")
    func malformed() async throws {
        let answer = try await bench.browser(.support).get("/console/payments.csv?amount=1e3")
        #expect(answer.status == 400 && answer.text.contains("Amount is not a number"))
    }

    @Test("The download ends with the session")
    func endsWithTheSession() async throws {
        for number in 0..<450 { await bench.add("P-\(number)") }
        let browser = try await bench.browser(.support)
        let cookie = try #require(browser.cookie.split(separator: "=", maxSplits: 1).last)
        await #expect(throws: SessionEnded.self) {
            _ = try await bench.send(
                .get, "/console/payments.csv", headers: [.cookie: browser.cookie],
                afterPiece: { [console = bench.console] in console.sessions.end(String(cookie)) })
        }
    }
}
