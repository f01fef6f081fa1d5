import ApplePayToken
import Foundation
import OrderedJSON
import PaymentRelay
import Testing
import TokenMint

@testable import RelayServer

@Suite struct AdminRouterTests {
    @Test func readyTellsHowLongTheCertificatesLastOnceATokenWasValid() async throws {
        let bench = try ServerBench()
        #expect(try await bench.admin("/ready") == #"{"status":"ready","journal":"up"}"#)
        #expect(try await !bench.admin("/metrics").contains("days_left{"))

        let stale = try TokenMint().mint(ServerBench.contents, signedAt: ServerBench.now.addingTimeInterval(-301))
        _ = try await bench.post("/v1/tokens/verify", stale)
        #expect(try await JSON(parsing: bench.admin("/ready"))["certificate_days_left"] == nil)

        _ = try await bench.post(
            "/v1/tokens/verify", TokenMint().mint(ServerBench.contents, signedAt: ServerBench.now))
        // From 2027-01-15 to the end of 2050, when the sandbox's certificates end.
        #expect(
            try await JSON(parsing: bench.admin("/ready"))["certificate_days_left"]
                == ["leaf": 8751, "intermediate": 8751])
        #expect(try await bench.admin("/metrics").contains(#"days_left{certificate="leaf"} 8751"#))
    }

    @Test func openPaymentsAreCountedAndTheOverdueAmongThem() async throws {
        let bench = try ServerBench()
        #expect(try await bench.admin("/metrics").contains("payrelay_payments_open 0\n"))
    }

    @Test func eventsAreCountedWhereTheyAreDelivered() {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        var metrics = MetricsText(certificateDaysLeft: nil, open: nil, at: now)
        #expect(!metrics.text.contains("event"))
        metrics.add(
            EventSummary(undelivered: 7, oldest: now - 12, parked: 2), attempts: EventDelivery.Attempts(), at: now)
        #expect(
            metrics.text.split(separator: "\n").filter { !$0.hasPrefix("#") } == [
                "payrelay_events_undelivered_payments 7", "payrelay_events_oldest_seconds 12",
                "payrelay_events_parked_payments 2", #"payrelay_event_attempts_total{result="acknowledged"} 0"#,
                #"payrelay_event_attempts_total{result="refused"} 0"#,
                #"payrelay_event_attempts_total{result="unanswered"} 0"#,
            ])
        #expect(metrics.text.contains("# TYPE payrelay_event_attempts_total counter\n"))
    }

    @Test func metricsAreInPrometheusText() {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let text = MetricsText(
            certificateDaysLeft: .init(leaf: -1, intermediate: 899),
            open: OpenSummary(count: 3, oldest: now - 90, overdue: 1), at: now
        ).text
        #expect(
            text.split(separator: "\n").filter { !$0.hasPrefix("#") } == [
                #"payrelay_token_certificate_days_left{certificate="intermediate"} 899"#,
                #"payrelay_token_certificate_days_left{certificate="leaf"} -1"#,
                "payrelay_payments_open 3", "payrelay_payments_open_oldest_seconds 90", "payrelay_payments_overdue 1",
            ])
        #expect(text.contains("# TYPE payrelay_token_certificate_days_left gauge\n"))
        #expect(text.hasSuffix("\n"))
    }
}
