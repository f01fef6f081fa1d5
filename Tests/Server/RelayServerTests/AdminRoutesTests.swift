import ApplePayToken
import Foundation
import HTTPListener
import HTTPTypes
import Observability
import PaymentRelay
import PayrelayPrimitives
import TestPrograms
import Testing
import TokenMint

@testable import RelayServer

@Suite struct AdminRoutesTests {
    @Test func readyReportsCertificateDaysAfterAValidToken() async throws {
        let bench = try ServerBench()
        #expect(
            try await bench.admin("/ready")
                == #"{"status":"ready","journal":"up","fort":[{"account":"default","state":"not_asked","chargeable":false,"reason":"no answer of FORT for the account has been verified since the relay started. The account was not queried yet."}]}"#
        )
        #expect(try await !bench.admin("/metrics").contains("days_left{"))

        let stale = try TokenMint().mint(ServerBench.contents, signedAt: ServerBench.now.addingTimeInterval(-301))
        _ = try await bench.post("/v1/tokens/verify", stale)
        #expect(try await JSON(parsing: bench.admin("/ready"))["certificate_days_left"] == nil)

        _ = try await bench.post(
            "/v1/tokens/verify", TokenMint().mint(ServerBench.contents, signedAt: ServerBench.now))
        // The days from 2027-01-15 to the end of 2050, when the sandbox's certificates expire.
        #expect(
            try await JSON(parsing: bench.admin("/ready"))["certificate_days_left"]
                == ["leaf": 8751, "intermediate": 8751])
        #expect(try await bench.admin("/metrics").contains(#"days_left{certificate="leaf"} 8751"#))
    }

    @Test("The admin listener's certificate is watched as the public listener's is")
    func watchesTheAdminListenersCertificate() async throws {
        let folder = try TemporaryFolder()
        let issued = try DevelopmentAuthority(for: "localhost", at: Date()).issue(for: "localhost", at: Date())
        let files = TLSFiles(
            certificateFile: try folder.file("admin.pem", issued.certificatePEM),
            keyFile: try folder.file("admin.key", issued.keyPEM))
        let certificates = ConfiguredCertificates(adminListener: try ListenerCertificate(files))
        let bench = try ServerBench()
        let ready = try await JSON(parsing: bench.admin("/ready", certificates: certificates))
        #expect(ready["certificates"]?.arrayValue?.map { $0["kind"]?.stringValue } == ["admin_listener"])
        let metrics = try await bench.admin("/metrics", certificates: certificates)
        #expect(metrics.contains(#"payrelay_own_certificate_days_left{certificate="admin_listener"}"#))
        #expect(metrics.contains(#"payrelay_certificate_not_after_timestamp_seconds{kind="admin_listener""#))
    }

    @Test func countsOpenAndOverduePayments() async throws {
        let bench = try ServerBench()
        #expect(try await bench.admin("/metrics").contains("payrelay_payments_open 0\n"))
    }

    @Test func countsEventsWhereTheyAreDelivered() {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        var gauges = ScrapedGauges(moment: now)
        func values() -> [Substring] {
            PrometheusText(gauges.families).text.split(separator: "\n").filter { $0.hasPrefix("payrelay_event") }
        }
        #expect(values() == [])
        gauges.events = EventSummary(undelivered: 7, oldest: now - 12, deadLettered: 2)
        gauges.deliveries = EventDelivery.Attempts(refused: 1)
        #expect(
            values() == [
                #"payrelay_event_attempts_total{result="acknowledged"} 0"#,
                #"payrelay_event_attempts_total{result="refused"} 1"#,
                #"payrelay_event_attempts_total{result="unanswered"} 0"#,
                "payrelay_events_oldest_seconds 12", "payrelay_events_dead_lettered_payments 2",
                "payrelay_events_undelivered_payments 7",
            ])
    }

    @Test func isNotReadyBeforeListening() async throws {
        let bench = try ServerBench(isListening: false)
        #expect(try await bench.admin("/ready").contains(#""status":"starting""#))
        bench.listener.begin()
        #expect(try await bench.admin("/ready").contains(#""status":"ready""#))
    }

    @Test func reportsFortWithoutCountingIt() async throws {
        let bench = try ServerBench()
        let token = try TokenMint().mint(ServerBench.contents, signedAt: ServerBench.now)
        #expect(try await bench.post("/v1/payments", ServerBench.order(token)).status == .serviceUnavailable)
        #expect(
            try await bench.admin("/ready").contains(
                #""status":"ready","journal":"up","fort":[{"account":"default","state":"#))
    }

    @Test func omitsUnknownValues() {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        var gauges = ScrapedGauges(moment: now)
        func values() -> [Substring] {
            PrometheusText(gauges.families).text.split(separator: "\n")
                .filter { !$0.hasPrefix("#") && !$0.hasPrefix("payrelay_build_info") }
        }
        #expect(values() == ["payrelay_http_requests_under_way 0", "payrelay_log_lines_dropped_total 0"])
        gauges.listenerCertificateEnd = now + 86_399
        gauges.adminCertificateEnd = now + 86_400
        gauges.merchantIdentityEnd = now - 1
        gauges.certificateDaysLeft = .init(leaf: -1, intermediate: 899)
        gauges.open = OpenSummary(count: 3, oldest: now - 90, overdue: 1)
        gauges.chainCacheUse = ChainCacheUse(hits: 7, misses: 2)
        #expect(
            values().dropFirst(2) == [
                #"payrelay_own_certificate_days_left{certificate="admin_listener"} 1"#,
                #"payrelay_own_certificate_days_left{certificate="listener"} 0"#,
                #"payrelay_own_certificate_days_left{certificate="merchant_identity"} -1"#,
                "payrelay_payments_open 3", "payrelay_payments_open_oldest_seconds 90", "payrelay_payments_overdue 1",
                #"payrelay_token_certificate_days_left{certificate="intermediate"} 899"#,
                #"payrelay_token_certificate_days_left{certificate="leaf"} -1"#,
                #"payrelay_token_chain_lookups_total{result="hit"} 7"#,
                #"payrelay_token_chain_lookups_total{result="miss"} 2"#,
            ])
    }
}
