import Foundation
import OutboundHTTP
import PayrelayPrimitives
import Testing

/// A gateway other than FORT takes payments through the whole server, and no part of the server knows it.
@Suite struct SecondGatewayTests {
    @Test("A second gateway charges, answers repeats, settles uncertain payments, captures and refunds")
    func takesPayments() async throws {
        try await LedgerServer.run { server in
            let paid = try await server.pay("L-1", 10_000, "PURCHASE")
            #expect(paid.status == 200 && paid.json["outcome"] == "captured")
            #expect(paid.json["ledger_entry"] == "entry-of-L-1")

            let (body, token) = (server.body("L-2", 10_000, "AUTHORIZATION"), try server.token(10_000))
            let first = try await server.post("/v1/payments", body(token))
            let second = try await server.post("/v1/payments", body(token))
            #expect(first.json["outcome"] == "authorized" && first.body == second.body)
            #expect(second.header("Idempotent-Replayed") == "true")
            let void = try await server.post("/v1/payments/L-2/void", [:])
            #expect(void.status == 400 && void.json["errors"]?.arrayValue?.first?["field"] == "command")
            #expect(
                try await server.post("/v1/payments/L-2/capture", ["amount": 6_000]).json["outcome"]
                    == "partially_captured")
            let refunded = try await server.post("/v1/payments/L-2/refund", [:])
            #expect(refunded.status == 200 && refunded.json["outcome"] == "refunded")

            let silent = try await server.pay("L-3", 10_002, "PURCHASE")
            #expect(silent.status == 202 && silent.json["outcome"] == "uncertain")
            #expect(try await server.post("/v1/payments/L-3/sync", nil).json["outcome"] == "captured")

            #expect(try await server.pay("L-4", 10_001, "PURCHASE").json["outcome"] == "declined")
            let wrong = try await server.post("/v1/payments", server.body("", 0, "GIFT")(try server.token(1)))
            #expect(wrong.status == 400 && wrong.json["errors"]?.arrayValue?.count == 3)
        }
    }

    @Test("A second gateway's notification has the relay ask it, and /ready reports it")
    func addsRoutes() async throws {
        try await LedgerServer.run { server in
            _ = try await server.pay("L-5", 10_002, "PURCHASE")
            #expect(try await server.post("/v1/ledger/notifications", ["order": "L-5", "key": "forged"]).status == 401)
            #expect(try await server.get("/v1/payments/L-5").json["outcome"] == "uncertain")
            #expect(
                try await server.post("/v1/ledger/notifications", ["order": "L-5", "key": "ledger-key"]).status == 200)
            while try await server.get("/v1/payments/L-5").json["outcome"] != "captured" {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(
                try await server.admin("/ready").json["ledger"] == [
                    ["account": "books", "state": "answering", "chargeable": true]
                ])
        }
    }

    @Test(
        "The described fields of a second gateway's answers are searched, listed, shown to a phone, and erased or kept")
    func describesItsAnswers() async throws {
        try await LedgerServer.run { server in
            _ = try await server.pay("L-6", 10_000, "PURCHASE")
            for query in ["processor=ledger", "ledger_entry=entry-of-L-6", "account=books"] {
                let found = try await server.get("/v1/payments?\(query)")
                let payments = found.json["payments"]?.arrayValue ?? []
                #expect(payments.map { $0["merchant_reference"] } == ["L-6"], "\(query) \(found.json)")
                #expect(payments.first?["ledger_entry"] == "entry-of-L-6")
            }
            #expect(try await server.get("/v1/payments?processor=fort").json["payments"] == [])
            #expect(try await server.get("/v1/payments?fort_id=1").status == 400)
        }
    }
}
