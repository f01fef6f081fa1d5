import FortAPI
import FortModule
import Foundation
import HTTPListener
import Logging
import OutboundHTTP
import PayrelayPrimitives
import Settings
import TestPrograms
import Testing

@testable import Composition

/// The settings that `payrelay config print` and the console show.
@Suite struct ConfigurationReportTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func rows(
        _ environment: [String: String] = [:], _ yaml: String = ""
    ) throws -> [String: ConfigurationReport.Row] {
        let path = try folder.file("relay.yaml", yaml)
        let report = ConfigurationReport(try ConfigurationSources(environment: environment, file: path))
        return Dictionary(uniqueKeysWithValues: report.groups.flatMap(\.rows).map { ($0.setting.key, $0) })
    }

    @Test func everySettingHasItsValueAndItsSource() throws {
        let rows = try rows(
            ["PAYRELAY_HTTP_PORT": "9000", "PAYRELAY_FORT_TIMEOUT_SECONDS": "40", "PAYRELAY_LOG_LEVEL": ""],
            "http: {port: 9001, hosts: [a, b]}\nadmin:\n  port: 9002\n")
        #expect(Set(rows.keys) == Set(SettingCatalog.relay.all.map(\.key)))
        #expect(rows["http.port"]?.value == "9000")
        #expect(rows["http.port"]?.source == .environment("PAYRELAY_HTTP_PORT"))
        #expect(rows["http.hosts"]?.value == "a,b")
        #expect(rows["admin.port"]?.source == .file(path: folder.path("relay.yaml"), line: 3))
        #expect(rows["log.level"]?.value == "info" && rows["log.level"]?.source == .standard)
        #expect(rows["fort.access_code"]?.value == nil && rows["fort.access_code"]?.shown == "(required)")
        #expect(rows["http.tls_key_file"]?.shown == "(plain HTTP)")
        // The value is FORT's timeout plus 5.
        #expect(rows["stop_seconds"]?.value == "45")
    }

    @Test("the time to stop follows from the timeouts of the gateways in use")
    func theTimeToStopIsTheGatewaysInUse() throws {
        var environment = RelayConfigurationTests.account
        environment["PAYRELAY_FORT_TIMEOUT_SECONDS"] = "1"
        #expect(try RelayConfiguration(ConfigurationSources(environment: environment)).stopAfter == .seconds(6))
    }

    @Test("the values that are shown are the values that are used")
    func theDefaultsAreThoseOfTheRelay() throws {
        let rows = try rows()
        let relay = try RelayConfiguration(ConfigurationSources(environment: RelayConfigurationTests.account))
        func seconds(_ duration: Duration) -> String { String(duration.components.seconds) }
        for (key, value) in [
            ("http.host", relay.http.host), ("http.port", String(relay.http.port)), ("admin.host", relay.admin.host),
            ("admin.port", String(relay.admin.port)), ("fort.endpoint", relay.fort.endpoint.url),
            ("fort.timeout_seconds", seconds(relay.fort.timeout)), ("answer_after_seconds", seconds(relay.answerAfter)),
            ("drain_seconds", seconds(relay.drainPause)), ("stop_seconds", seconds(relay.stopAfter)),
            ("not_found_after_seconds", seconds(relay.notFoundAfter)),
            ("operation_not_found_after_seconds", seconds(relay.operationNotFoundAfter)),
            ("overdue_after_seconds", seconds(relay.overdueAfter)), ("log.level", relay.logLevel.rawValue),
            ("http.body_bytes_max", String(relay.bodyLimit)),
            ("http.body_bytes_total_max", String(relay.limits.bodyBytesTotal)),
            ("http.connections_max", String(relay.limits.connections)),
            ("http.header_bytes_max", String(relay.limits.headerBytes)),
            ("http.head_timeout_seconds", seconds(relay.limits.headTimeout)),
            ("http.body_timeout_seconds", seconds(relay.limits.bodyTimeout)),
            ("http.idle_timeout_seconds", seconds(relay.limits.idleTimeout)),
            ("http.requests_in_flight_max", String(relay.limits.requestsInFlight)),
            ("fort.requests_in_flight_max", String(relay.fort.limits.requestsInFlight)),
            ("fort.circuit_breaker_failures", String(relay.fort.limits.failures)),
        ] { #expect(rows[key]?.value == value, "\(key)") }
        #expect(relay.retention == .seconds(30 * 86_400) && rows["retention_days"]?.value == "30")
        #expect(relay.answerAfter == .seconds(20) && relay.overdueAfter == .seconds(900))
        #expect(relay.operationNotFoundAfter == .seconds(3_600) && relay.bodyLimit == 262_144)
        #expect(relay.journal == .sqlite(path: "payrelay.sqlite"))
    }

    @Test("no secret, no part of one and no length of one is shown, wherever it was set")
    func secretsAreMasked() throws {
        var environment: [String: String] = [:]
        for (number, setting) in SettingCatalog.relay.all.filter(\.isSecret).enumerated() {
            environment[try #require(setting.environmentName)] = String(repeating: "canary", count: number + 1)
        }
        environment["PAYRELAY_EVENTS_URL"] =
            "https://canary:canary@shop.example/events/canary-canary-canary?key=canary#canary"
        environment["PAYRELAY_JWT_KEYS_URL"] = "https://canary@keys.example?canary"
        environment["PAYRELAY_TRACING_OTLP_URL"] = "canary"
        environment["PAYRELAY_HTTP_PORT"] = "canary"
        environment["PAYRELAY_TOKEN_VERIFICATION"] = "canary"
        environment["PAYRELAY_CANARY"] = "canary"
        let secret = try folder.file("phrase", "canary")
        let path = try folder.file(
            "relay.yaml",
            """
            fort:
              accounts:
                uae: {access_code: AAAA, request_phrase: canary, response_phrase_file: \(secret)}
            """)
        let report = ConfigurationReport(try ConfigurationSources(environment: environment, file: path))
        let rows = report.groups.flatMap(\.rows)
        #expect(!"\(report.json)".contains("canary") && !rows.map(\.shown).joined().contains("canary"))
        #expect(!"\(report)".contains("canary") && !"\(report.forConsole)".contains("canary"))
        for row in rows where row.setting.isSecret && row.source != .standard { #expect(row.value == "***") }
        let byKey = Dictionary(uniqueKeysWithValues: rows.map { ($0.setting.key, $0) })
        #expect(byKey["events.url"]?.value == "https://***@shop.example/events/***?***")
        #expect(byKey["jwt.keys_url"]?.value == "https://***@keys.example?***")
        #expect(byKey["http.port"]?.value == "(invalid)")
        #expect(byKey["fort.accounts.uae.response_phrase"]?.shown == "*** in \(secret)")
        #expect(byKey["fort.accounts.uae.access_code"]?.value == "AAAA")
    }
}
