import AccessControl
import Foundation
import JournalContract
import PaymentRelay
import Synchronization
import TestPrograms
import Testing

@testable import Console

/// The page of payments that need an operator's attention.
@Suite struct AttentionPageTests {
    private let bench: ConsoleBench

    init() throws { bench = try ConsoleBench() }

    private func add(_ numbers: Range<Int>) async {
        for number in numbers {
            await bench.add("W-\(number)", event: Array(#"{"type":"payment.captured"}"#.utf8), at: Date() - 120)
        }
    }

    @Test("the count of payments with undelivered events says if there may be more than are listed")
    func countOfEvents() async throws {
        let browser = try await bench.browser(.viewer)
        func isCounted(_ count: String) async throws -> Bool {
            try await browser.get("/console").text.contains("not delivered <span class=\"count\">\(count)</span>")
        }
        await add(0..<99)
        #expect(try await isCounted("99"))
        await add(99..<101)
        #expect(try await isCounted("100 or more"))
        for event in await bench.journal.lease(DueEvent.self, of: nil, limit: 1, at: Date(), until: Date() + 60) {
            try await bench.journal.postpone(event, until: nil)
        }
        #expect(try await isCounted("101 or more"), "one is no longer sent, and a hundred wait")
    }

    @Test("of a gateway that does not answer, its own section of the runbook is named", arguments: [true, false])
    func section(hasFort: Bool) async throws {
        let bench = try ConsoleBench(hasFort: hasFort)
        await bench.add("ORDER-1", state: .uncertain, gateway: bench.fort.name)
        let browser = try await bench.browser(.support)
        #expect(try await browser.submit("/console/payment/ask?reference=ORDER-1").status == 303)
        let section = "\(bench.fort.title) does not answer"
        #expect(try await browser.get("/console").text.contains("Runbook: \(section)"))
        let runbook = try String(contentsOf: Project.url("docs/runbook.md"), encoding: .utf8)
        #expect(runbook.contains("\n## \(section)\n"))
    }

    @Test(
        "an open payment of an account that is not configured is not queried",
        arguments: [true, false])
    func withoutAccount(hasFort: Bool) async throws {
        let bench = try ConsoleBench(hasFort: hasFort)
        await bench.add("ORDER-1", state: .uncertain)
        await bench.add("ORDER-2")
        let counted = try await bench.relay.openPaymentsWithoutAccount().map { "\($0.account): \($0.payments)" }
        #expect(counted == (hasFort ? [] : ["fort default: 1"]))
        let browser = try await bench.browser(.support)
        let words = "The gateway is not queried: the account fort default is not configured."
        for page in ["/console", "/console/payment?reference=ORDER-1"] {
            #expect(try await browser.get(page).text.contains(words) == !hasFort, "\(page)")
        }
    }

    @Test("R12: an open payment of another merchant under the account's name is shown as such, and overdue like others")
    func ofAnotherMerchant() async throws {
        let bench = try ConsoleBench()
        await bench.add(
            "ORDER-1", state: .uncertain, merchantIdentifier: "OLD1", at: Date(timeIntervalSinceNow: -86_400))
        let open = try await bench.relay.openPaymentsWithoutAccount()
        #expect(open.map(\.unavailability) == [.otherMerchant(was: "OLD1", now: "M1")])
        let browser = try await bench.browser(.support)
        for page in ["/console", "/console/payment?reference=ORDER-1"] {
            let text = try await browser.get(page).text
            #expect(text.contains("merchant OLD1&#39;s") && text.contains("M1&#39;s"), "\(page): \(text)")
        }
        #expect(try await bench.relay.summary().payments.overdue == 1)
        // An operator's query for this payment sends nothing.
        #expect(try await browser.submit("/console/payment/ask?reference=ORDER-1").status == 303)
        #expect(bench.fort.asked.withLock { $0 } == 0)
    }
}
