import Composition
import Foundation
import GatewayModule
import PaymentRelay
import TestPrograms
import Testing

/// docs/add-a-gateway.md names the places in which a gateway must be entered. Each gateway of the service is entered in all of
/// them.
@Suite struct GatewayPlacesTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Project.url(path), encoding: .utf8)
    }

    @Test("Every gateway is in each of the lists, documents and alerts that a gateway needs")
    func everyGatewayIsEverywhere() throws {
        for module in GatewayModules.all {
            let (name, title) = (module.name, module.title)
            // The targets of `FortModule` are `FortAPI`, `FortSandbox` and so on.
            let stem = "\(module)".replacing("Module", with: "")
            let reference = try #require(module.answerFields.reference, "\(name)")
            for (path, words) in [
                ("Package.swift", ["\"\(stem)API\"", "\"\(stem)Module\"", "\"\(stem)Sandbox\""]),
                ("Tests/Program/EndToEndTests/LayersTests.swift", ["\"Gateways/\(stem)\": ["]),
                ("Sources/Program/payrelay-dev/Gateways/GatewaySandboxes.swift", ["\(stem)Development.self"]),
                ("Sources/Foundations/PayrelayAPI/Payment/PaymentField.swift", ["\"\(reference)\""]),
                ("docs/openapi.yaml", ["\(reference):"]),
                (
                    "monitoring/alerts.yaml",
                    [
                        "payrelay_\(name)_exchange_duration_seconds_count", "payrelay_\(name)_account_state",
                        "payrelay_\(name)_account_verified",
                    ]
                ),
                (
                    "docs/metrics.md",
                    ["payrelay_\(name)_exchange_duration_seconds", "payrelay_\(name)_circuit_breaker_open"]
                ),
                ("docs/glossary.md", ["<a id=\"\(name)\"></a>\(title)"]), ("docs/architecture.md", [title]),
                ("packaging/payrelay.env", ["PAYRELAY_\(name.uppercased())_"]),
                ("docs/configuration.md", ["`\(name)."]),
            ] {
                let text = try Self.text(path)
                for word in words { #expect(text.contains(word), "\(path) lacks \(word)") }
            }
        }
    }
}
