import FortModule
import AccessControl
import Foundation
import HTTPTypes
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

    @Test("The file has every payment that the filters describe, on however many pages the list shows them")
    func everyPayment() async throws {
        for number in 0..<450 { await bench.add("P-\(number)", state: number < 420 ? .captured : .declined) }
        let browser = try await bench.browser(.support)
        let page = try await browser.get("/console/payments?outcome=captured").text
        #expect(
            page.contains(#"<a href="/console/payments.csv?outcome&#61;captured" download>"#)
                || page.contains(#"<a href="/console/payments.csv?outcome=captured" download>"#))
        let answer = try await browser.get("/console/payments.csv?outcome=captured")
        #expect(answer.status == 200)
        #expect(answer.headers[.contentType]?.hasPrefix("text/csv") == true)
        #expect(answer.headers[.contentDisposition] == #"attachment; filename="payments.csv""#)
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(lines(answer).count == 421)
        #expect(
            answer.text.hasPrefix(PaymentCSV(AnswerVocabulary([(FortModule.name, FortModule.answerFields)])).header))
        #expect(Set(lines(answer).dropFirst().map { $0.prefix { $0 != "," } }).count == 420)
    }

    @Test("No cell begins a formula", arguments: ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1"])
    func noFormula(text: String) async throws {
        await bench.add("R-\(text.unicodeScalars.first?.value ?? 0)", response: ["response_message": .string(text)])
        let csv = try await bench.browser(.finance).get("/console/payments.csv").text
        #expect(csv.contains("'" + text))
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
        let answer = try await bench.browser(.support).get("/console/payments.csv?amount=100")
        #expect(answer.status == 400 && answer.text.contains("Amount needs a currency"))
    }

    @Test("The file ends where the session does")
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
