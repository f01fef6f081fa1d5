import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// An unreadable row of the journal sets its payment aside: the process starts, and other payments continue.
@Suite struct HostileJournalTests {
    @Test func anUnreadableRowSetsItsPaymentAsideAndNoOther() async throws {
        let relay = try await RunningRelay()
        let (bad, good) = (Orders.reference(), Orders.reference())
        let order = try Orders.body(bad)
        for body in [order.json, try Orders.body(good).with(["command": "AUTHORIZATION"])] {
            _ = try await relay.pay(body)
        }
        relay.program.signal(SIGKILL)
        try await relay.program.end()
        try await relay.runSQL(
            """
            UPDATE payment SET operations = CAST('[{"id":"elsewhere","command":"CAPTURE","amount":9223372036854775807,\
            "captured_before":9223372036854775807,"refunded_before":0,"begun_at":9223372036854775807,"state":"uncertain",\
            "changed_at":1}]' AS BLOB), claimed_at = 9223372036854775807 WHERE merchant_reference = '\(bad)';
            INSERT INTO work (kind, merchant_reference, account, gateway, due_at, attempt, since, entry, newest)
                VALUES ('query', '\(bad)', '', 'fort', -9223372036854775808, 0, 1, 0, 0)
            """)

        let again = try await RunningRelay(after: relay)
        try await again.program.wait(toPrint: "is set aside")
        let shown = try await again.get("/v1/payments/\(bad)")
        #expect(shown.status == 500 && shown.problem == "record-unreadable")
        for answer in [
            try await again.pay(order.json), try await again.perform(bad, "refund"),
            try await again.post("/v1/payments/\(bad)/sync", []),
        ] {
            #expect(answer.status == 500 && answer.problem == "record-unreadable")
        }
        #expect(try await again.perform(good, "capture").outcome == "captured")
        #expect(try await again.pay(Orders.body().json).outcome == "captured")
        #expect(try await again.metric("payrelay_journal_unreadable_records_total") ?? 0 > 0)
        #expect(again.program.isRunning)
    }

    /// A receipt is replayed byte by byte, and only if it is readable.
    @Test func anUnreadableReceiptIsNotReplayed() async throws {
        let relay = try await RunningRelay()
        for receipt in ["x''", "x'FFFE'", "x'5B5B5B'"] {
            let reference = Orders.reference()
            let order = try Orders.body(reference).json
            _ = try await relay.pay(order)
            try await relay.runSQL(
                "UPDATE history SET receipt = \(receipt) WHERE merchant_reference = '\(reference)' AND receipt IS NOT NULL"
            )
            let replay = try await relay.pay(order)
            #expect(replay.status == 500 && replay.problem == "record-unreadable")
            #expect(try await relay.sandbox.charges(of: reference) == 1)
        }
    }
}
