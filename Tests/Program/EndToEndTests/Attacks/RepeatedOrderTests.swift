import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPostgres
import Testing

/// A client repeats a request that cannot be sent. The journal and the answers grow only once.
@Suite struct RepeatedOrderTests {
    @Test("S14: an order and a refund that are repeated while FORT is down grow neither the journal nor the answer")
    func growsNeitherTheJournalNorTheAnswer() async throws {
        try await attack([:])
    }

    @Test(
        "S14: the same on PostgreSQL",
        .enabled(if: PostgresServer.isAvailable, "PostgreSQL's server programs are not installed"))
    func growsNothingOnPostgreSQL() async throws {
        try await attack(["PAYRELAY_JOURNAL": try PostgresServer.shared.get().emptySchema()])
    }

    private func attack(_ journal: [String: String]) async throws {
        let settings = journal.merging(["PAYRELAY_FORT_CIRCUIT_BREAKER_FAILURES": "1000"]) { $1 }
        let relay = try await RunningRelay(settings)
        let paid = Orders.reference()
        #expect(try await relay.pay(Orders.body(paid).json).outcome == "captured")
        relay.sandbox.program.signal(SIGKILL)
        _ = try await relay.sandbox.program.end()

        let order = try Orders.body()
        let reference = try #require(order["merchant_reference"]?.stringValue)
        for number in 0..<60 {
            let answer = try await relay.pay(order.json)
            #expect(answer.status == 503 && answer.problem == "processor-unreachable")
            // The refunds have many amounts and many keys.
            let refund: JSON = ["amount": JSON(MinorUnits(100 + number % 7) ?? 1)]
            let refused = try await relay.post(
                "/v1/payments/\(paid)/refund", refund.encoded(),
                headers: number % 2 == 0 ? [(name: "Idempotency-Key", value: "\"k\(number)\"")] : [])
            #expect(refused.status == 503)
        }
        let shown = try await relay.get("/v1/payments/\(reference)")
        let history = try #require(shown.json?["history"]?.arrayValue)
        #expect(history.count == 2 && history.allSatisfy { $0["times"] == 60 && $0["since"] != nil })
        let refunds = try await relay.get("/v1/payments/\(paid)")
        #expect(refunds.json?["operations"] == nil && refunds.json?["history"]?.arrayValue?.count == 4)
        for answer in [shown, refunds] { #expect(answer.body.count < 4_000) }
    }
}
