import AccessControl
import Foundation
import PaymentRelay
import PayrelayPrimitives
import Testing

@testable import Console

@Suite struct SettlementPageTests {
    @Test("A day's page has the sums of each account and currency, with the currency's decimals")
    func sums() async throws {
        let bench = try ConsoleBench()
        await bench.add("A", amount: 10_050)
        await bench.add("B", amount: 7)
        await bench.add("C", amount: 4_500, currency: "KWD")
        await bench.add("D", state: .declined)
        let browser = try await bench.browser(.viewer)
        let page = try await browser.get("/console/settlement")
        #expect(page.status == 200)
        #expect(page.text.contains("100.57 AED <span class=\"quiet\">in 2</span>"))
        #expect(page.text.contains("4.500 KWD <span class=\"quiet\">in 1</span>"))
        #expect(page.text.contains("0.00 AED <span class=\"quiet\">in 0</span>"))
        #expect(try await browser.get("/console/settlement?day=2001-01-01").text.contains("No money moved on this day"))
    }

    @Test(
        "A text that is not a day or a zone is reported, and the journal is not read",
        arguments: [
            "day=yesterday", "day=2026-02-30", "day=9999-99-99", "day=2026-01-01&zone=Dubai", "day=%3Cb%3E",
        ])
    func malformed(_ query: String) async throws {
        let bench = try ConsoleBench()
        let answer = try await bench.browser(.viewer).get("/console/settlement?\(query)")
        #expect(answer.status == 400 && answer.text.contains("A day is written"))
        #expect(!answer.text.contains("<b>"))
    }

    @Test(
        "A table that may be wider than the page has a link or takes the focus: the keyboard can scroll it",
        arguments: ["settlement", "payments", "changes"])
    func keyboard(_ name: String) async throws {
        let bench = try ConsoleBench()
        await bench.add("A")
        let page = try await bench.browser(.viewer).get("/console/\(name)")
        #expect(page.status == 200)
        let tables = page.text.components(separatedBy: "<div class=\"scroll\"").dropFirst()
        #expect(!tables.isEmpty)
        for rest in tables {
            let table = rest.prefix(upTo: rest.firstRange(of: "</table>")?.lowerBound ?? rest.endIndex)
            #expect(table.contains("<a ") || table.prefix(while: { $0 != ">" }).contains("tabindex=\"0\""))
        }
    }

    @Test("A sum beyond the largest amount of a payment is written in full")
    func largeSums() {
        #expect(Money.text(sum: 123_456_789_012_345, "AED") == "1,234,567,890,123.45 AED")
        #expect(Money.text(sum: 5, "KWD") == "0.005 KWD")
        #expect(Money.text(sum: -105, "AED") == "-1.05 AED")
        #expect(Money.text(sum: .min, "AED") == "-92,233,720,368,547,758.08 AED")
        #expect(Money.text(sum: 12, "JPY") == "12 JPY" && Money.text(sum: 12, "???") == "12 ???")
    }
}
