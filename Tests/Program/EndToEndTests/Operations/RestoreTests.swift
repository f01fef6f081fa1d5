import Foundation
import OutboundHTTP
import PayrelayPrimitives
import Testing

/// A journal from a backup lacks payments that FORT has: the procedure of docs/runbook.md.
@Suite struct RestoreTests {
    @Test func aRestoredJournalLosesNoChargeAndMakesNoSecondOne() async throws {
        let first = try await RunningRelay()
        let refunded = Orders.reference()
        #expect(try await first.pay(Orders.body(refunded).json).outcome == "captured")
        try await first.stop()
        let copy = try first.journalFiles

        let second = try await RunningRelay(after: first)
        let forgotten = Orders.reference()
        let order = try Orders.body(forgotten).json
        #expect(try await second.pay(order).outcome == "captured")
        #expect(try await second.refund(refunded, amount: 4_000).status == 200)
        try await second.stop()
        try second.restoreJournal(copy)

        let restored = try await RunningRelay(after: second)
        #expect(try await restored.get("/v1/payments/\(forgotten)").status == 404)
        let synced = try await restored.post("/v1/payments/\(refunded)/sync", [])
        #expect(synced.outcome == "partially_refunded" && synced.json?["refunded_amount"] == 4_000)
        #expect(try await restored.refund(refunded, amount: 6_001).status == 409)

        #expect(try await restored.pay(order).status == 202)
        #expect(try await restored.finalOutcome(of: forgotten) == "captured")
        #expect(try await restored.sandbox.charges(of: forgotten) == 1)
    }
}

extension RunningRelay {
    fileprivate func stop() async throws {
        program.signal(SIGTERM)
        #expect(try await program.end() == 0)
    }

    fileprivate func refund(_ reference: String, amount: Int) async throws -> OutboundAnswer {
        try await post("/v1/payments/\(reference)/refund", JSON.object(["amount": JSON(amount)]).encoded())
    }
}
