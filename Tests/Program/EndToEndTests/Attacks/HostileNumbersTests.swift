import FortAPI
import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPostgres
import TestPrograms
import Testing

/// No number in FORT's answers moves more money than the order's amount, blocks the next operation, or stops the process.
@Suite struct HostileNumbersTests {
    private static let numbers: [JSON] = [
        "9223372036854775807", .number("9223372036854775807"), "-9223372036854775808", "-5", "0", "1e3", .number("1e3"),
        "+5", " 5", "05", "5.0", "10001", "9999999999", "99999999999999999999", "", .null, true, ["5"], ["a": "5"],
    ]

    @Test(
        "R14: a false notification of a capture or refund blocks no operation",
        arguments: ["sqlite", "postgres"].filter { $0 == "sqlite" || PostgresServer.isAvailable })
    func aFalseNotificationOfACaptureOrRefundBlocksNoOperation(journal: String) async throws {
        var settings: [String: String] = [:]
        if journal == "postgres" { settings["PAYRELAY_JOURNAL"] = try PostgresServer.shared.get().emptySchema() }
        let relay = try await RunningRelay(settings)
        let messages = FortMessages(relay: relay, account: relay.sandboxAccount)
        let reference = Orders.reference()
        let order = try Orders.body(reference).with(["command": "AUTHORIZATION"])
        #expect(try await relay.pay(order).outcome == "authorized")
        // An absent or empty amount is valid. Another test covers it.
        for number in Self.numbers where number != "" && number != .null {
            for command in [FortCommand.capture, .refund] {
                let answer = try await messages.post(FortMessages.success(command, of: reference, amount: number))
                #expect(answer.status == 200, "\(command) \(number)")
            }
        }
        let shown = try await relay.get("/v1/payments/\(reference)")
        #expect(shown.outcome == "authorized" && shown.json?["operations"] == nil)
        let captured = try await relay.perform(reference, "capture", ["amount": 4_000])
        #expect(captured.status == 200 && captured.outcome == "partially_captured")

        // After the next start the journal has nothing of it.
        relay.program.signal(SIGKILL)
        try await relay.program.end()
        let again = try await RunningRelay(after: relay, settings)
        #expect(try await again.get("/v1/payments/\(reference)").outcome == "partially_captured")
        #expect(try await again.perform(reference, "refund", ["amount": 4_000]).outcome == "refunded")
    }

    @Test("R14: feedback with an impossible amount settles nothing")
    func feedbackWithAnImpossibleAmountSettlesNothing() async throws {
        let fort = try AnsweringFort.silent()
        let relay = try await RunningRelay(fort.settings.merging(["PAYRELAY_FORT_TIMEOUT_SECONDS": "5"]) { $1 })
        let messages = FortMessages(relay: relay, account: relay.account(with: AnsweringFort.phrase))
        let reference = Orders.reference()
        #expect(try await relay.pay(Orders.body(reference).json).outcome == "uncertain")
        for number in Self.numbers where number != "" && number != .null {
            _ = try await messages.post(FortMessages.success(.purchase, of: reference, amount: number))
            #expect(try await relay.get("/v1/payments/\(reference)").outcome == "uncertain", "\(number)")
        }
        for currency: JSON in [[], ["AED"], true, "", "aed", "USD"] {
            var message = FortMessages.success(.purchase, of: reference)
            message["currency"] = currency
            _ = try await messages.post(message)
            #expect(try await relay.get("/v1/payments/\(reference)").outcome == "uncertain", "\(currency)")
        }
        #expect(try await messages.post(FortMessages.success(.purchase, of: reference)).status == 200)
        #expect(try await relay.get("/v1/payments/\(reference)").outcome == "uncertain")
    }

    /// Signed answers to CHECK_STATUS have false totals. None of them is adopted.
    @Test("R14: totals that the order cannot have are ignored")
    func impossibleTotalsAreIgnored() async throws {
        let lies: [JSONObject] = [
            ["captured_amount": "9223372036854775807", "refunded_amount": "0"],
            ["captured_amount": "9200000000000000000", "refunded_amount": "9200000000000000000"],
            ["captured_amount": "10000", "refunded_amount": "10001"],
            ["captured_amount": "10001", "refunded_amount": "0"],
            ["captured_amount": "-1", "refunded_amount": "0"], ["captured_amount": "1e4", "refunded_amount": "1e4"],
            ["authorized_amount": "77777", "captured_amount": "10000", "refunded_amount": "10000"],
            ["captured_amount": "10000", "refunded_amount": .number("1e3")],
        ]
        let orders = lies.map { (reference: Orders.reference(), totals: $0) }
        let totals = Dictionary(uniqueKeysWithValues: orders)
        let fort = try AnsweringFort { request in
            guard request["query_command"] == "CHECK_STATUS" else { return ["response_code": "14000", "status": "14"] }
            var answer: JSONObject = [
                "response_code": "12000", "status": "12", "transaction_status": "06", "transaction_code": "06000",
                "authorized_amount": "10000",
            ]
            let reference = request["merchant_reference"]?.stringValue ?? ""
            for member in totals[reference, default: [:]].members { answer[member.name] = member.value }
            return answer
        }
        let relay = try await RunningRelay([
            "PAYRELAY_FORT_ENDPOINT": fort.endpoint, "PAYRELAY_FORT_RESPONSE_PHRASE": AnsweringFort.phrase,
        ])
        for (reference, totals) in orders {
            #expect(try await relay.pay(Orders.body(reference).json).outcome == "captured")
            let synced = try await relay.post("/v1/payments/\(reference)/sync", [])
            #expect(synced.outcome == "captured" && synced.json?["captured_amount"] == 10_000, "\(totals)")
            #expect(synced.json?["refunded_amount"] == 0, "\(totals)")
            // The log line may be written after the answer.
            try await relay.program.wait(for: "the line about \(totals)") {
                relay.program.lines.contains { $0.contains("implausible message") && $0.contains(reference) }
            }
        }
    }
}
