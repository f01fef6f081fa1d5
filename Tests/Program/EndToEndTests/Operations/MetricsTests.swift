import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// `/metrics` after traffic of every kind, as a scraper reads it.
@Suite struct MetricsTests {
    private let paid = Orders.reference()

    private func relayWithTraffic() async throws -> RunningRelay {
        let relay = try await RunningRelay(["PAYRELAY_FORT_TIMEOUT_SECONDS": "15"])
        let order = try Orders.body(paid).json
        for _ in 1...2 { #expect(try await relay.pay(order).status == 200) }
        #expect(try await relay.pay(Orders.body(amount: 10_012).json).outcome == "declined")
        let open = Orders.reference()
        #expect(try await relay.pay(Orders.body(open, amount: 10_408).json).status == 202)
        #expect(try await relay.finalOutcome(of: open) == "captured")
        let forged = order.changing(["token", "paymentData", "data"]) { "AAAA" + $0.dropFirst(4) }
            .objectValue?.with(["merchant_reference": .string(Orders.reference())])
        #expect(try await relay.pay(#require(forged)).status == 422)
        for _ in 1...2 {
            #expect(try await relay.post("/v1/payments/\(paid)/refund", Array(#"{"amount": 1}"#.utf8)).status == 200)
        }
        #expect(try await relay.post("/v1/payments/\(paid)/void", Array("{}".utf8)).status == 409)
        for number in 0..<5 { #expect(try await relay.get("/nowhere/\(number)").status == 404) }
        return relay
    }

    @Test func metricsAreConsistentAfterTrafficOfEveryKind() async throws {
        let relay = try await relayWithTraffic()
        // The reconciler counts after it has written to the journal.
        try await relay.program.wait(for: "the reconciler's count") {
            try await Self.metrics(of: relay).value("payrelay_reconciliations_total", ["result": "settled"]) == 1
        }
        let answer = try await relay.admin("/metrics")
        #expect(answer.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
        let text = String(decoding: answer.body, as: UTF8.self)
        let metrics = try Exposition(text)
        #expect(metrics.value("payrelay_build_info") == 1)
        let requests = "http_server_request_duration_seconds"
        #expect(metrics.types[requests] == "histogram")
        #expect(metrics.value(requests, ["http_route": "/v1/payments", "http_response_status_code": "200"]) == 3)
        #expect(metrics.value(requests, ["http_route": "NotFound", "http_response_status_code": "404"]) == 5)
        let refunds = ["http_route": "/v1/payments/{merchant_reference}/refund", "http_request_method": "POST"]
        #expect(metrics.value(requests, refunds) == 2)

        let outcomes = ["captured", "replayed", "declined", "uncertain", "token_refused"]
        for outcome in outcomes { #expect(metrics.value("payrelay_payments_total", ["outcome": outcome]) == 1) }
        #expect(metrics.value("payrelay_payments_total") == 5)
        #expect(metrics.value("payrelay_token_refusals_total") == 1)
        #expect(metrics.value("payrelay_payment_step_duration_seconds", ["step": "verify"]) == 5)
        #expect(metrics.value("payrelay_payment_step_duration_seconds", ["step": "claim"]) == 4)
        #expect(metrics.value("payrelay_payment_step_duration_seconds", ["step": "charge"]) == 3)
        #expect(metrics.value("payrelay_payment_step_duration_seconds", ["step": "settle"]) == 3)
        #expect(metrics.value("payrelay_token_chain_lookups_total") == 5)
        // The forged token has the known pair of certificates, too.
        #expect(metrics.value("payrelay_token_chain_lookups_total", ["result": "hit"]) == 4)

        let exchanges = "payrelay_fort_exchange_duration_seconds"
        #expect(metrics.value(exchanges, ["command": "PURCHASE", "result": "answered"]) == 2)
        #expect(metrics.value(exchanges, ["command": "PURCHASE", "result": "no_answer"]) == 1)
        let asked = metrics.value(exchanges, ["command": "CHECK_STATUS", "result": "answered"])
        // One additional query verified the account before its first charge.
        #expect(asked == metrics.value("payrelay_reconciliations_total") + 1)
        #expect(metrics.value("payrelay_fort_answers_total", ["response_class": "declined"]) == 1)
        let refunded = ["command": "REFUND", "response_class": "success"]
        #expect(metrics.value("payrelay_fort_answers_total", refunded) == 1)
        #expect(metrics.value("payrelay_operations_total", ["outcome": "done"]) == 1)
        #expect(metrics.value("payrelay_operations_total", ["outcome": "replayed"]) == 1)
        #expect(metrics.value("payrelay_operations_total", ["outcome": "not_allowed"]) == 1)

        // Four claims were written, and one read the payment that the replay met.
        #expect(metrics.value("payrelay_journal_duration_seconds", ["operation": "claim"]) == 5)
        #expect(metrics.value("payrelay_journal_errors_total") == 0)
        #expect(metrics.value("payrelay_payments_open") == 0)
        #expect(metrics.value("payrelay_http_requests_under_way") == 0)
        #expect(metrics.value("payrelay_token_certificate_days_left", ["certificate": "leaf"]) > 0)
        #expect(!text.contains(paid) && !text.contains("nowhere"))
    }

    @Test(.enabled(if: prometheusClientIsInstalled, "needs python3 with prometheus_client"))
    func prometheusParserReadsTheMetrics() async throws {
        let relay = try await relayWithTraffic()
        let text = String(decoding: try await relay.admin("/metrics").body, as: UTF8.self)
        let files = try TemporaryFolder()
        let metrics = try files.file("metrics", text)
        let script = """
            import sys
            from prometheus_client.parser import text_string_to_metric_families as parse
            for family in parse(open(sys.argv[1]).read()):
                print(family.name, family.type, len(family.samples))
            """
        let output = try await Python.run(script, metrics)
        let families = output.split(separator: "\n").map { $0.split(separator: " ") }
        let ours = try Exposition(text)
        #expect(families.count == ours.types.count)
        for family in families {
            let name = String(family[0]) + (family[1] == "counter" ? "_total" : "")
            #expect(ours.types[name] == String(family[1]))
            #expect("\(ours.samples[name]?.count ?? 0)" == family[2])
        }
    }

    @Test func adminRoutesTakeHEAD() async throws {
        let relay = try await RunningRelay()
        for path in ["/live", "/ready", "/metrics"] {
            let connection = try RawConnection(port: relay.adminPort)
            connection.send("HEAD \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            let answer = connection.read()
            #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix("\r\n\r\n"), "\(answer)")
        }
    }

    static func metrics(of relay: RunningRelay) async throws -> Exposition {
        try Exposition(String(decoding: try await relay.admin("/metrics").body, as: UTF8.self))
    }
}

/// Whether the parser of Prometheus' Python client, from PyPI, is installed.
private let prometheusClientIsInstalled =
    (try? FinishedProgram(["python3", "-c", "import prometheus_client.parser"]))?.succeeded == true
