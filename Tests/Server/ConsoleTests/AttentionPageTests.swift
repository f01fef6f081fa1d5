import AccessControl
import Foundation
import JournalContract
import PaymentRelay
import Testing

@testable import Console

/// What an operator should look at.
@Suite struct AttentionPageTests {
    private let bench: ConsoleBench

    init() throws { bench = try ConsoleBench() }

    private func add(_ numbers: Range<Int>) async {
        for number in numbers {
            await bench.add("W-\(number)", event: Array(#"{"type":"payment.captured"}"#.utf8), at: Date() - 120)
        }
    }

    @Test("the count of payments with events that were not delivered says where it may be more than are listed")
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
}
