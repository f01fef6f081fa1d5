import AccessControl
import Composition
import FortModule
import Foundation
import Settings
import TestPrograms
import Testing
import TokenMint

/// The configuration of operators who may log in to the console, and of the console's address.
@Suite struct OperatorConfigurationTests {
    private let folder: TemporaryFolder
    private let line: String
    private let tls: [String: String]

    init() throws {
        folder = try TemporaryFolder()
        line = "\(try OperatorEntry(name: "sara", permission: .support, key: OperatorKey()))"
        let authority = try DevelopmentAuthority(for: "localhost", at: Date())
        let issued = try authority.issue(for: "localhost", at: Date())
        tls = [
            "PAYRELAY_ADMIN_TLS_CERTIFICATE_FILE": try folder.file("admin.pem", issued.certificatePEM),
            "PAYRELAY_ADMIN_TLS_KEY_FILE": try folder.file("admin.key", issued.keyPEM),
        ]
    }

    private func errors(_ more: [String: String]) -> [String] {
        do {
            let environment = RelayConfigurationTests.account.merging(more) { $1 }
            _ = try RelayConfiguration(ConfigurationSources(environment: environment, file: nil))
            return []
        } catch {
            return error.errors.map(\.description)
        }
    }

    @Test func theConsoleLeavesLoopbackOnlyWithLoginAndTLS() {
        let elsewhere = ["PAYRELAY_ADMIN_HOST": "0.0.0.0"]
        let operators = ["PAYRELAY_OPERATORS": line]
        #expect(errors(elsewhere).count == 1)
        #expect(errors(elsewhere.merging(operators) { $1 }).count == 1)
        #expect(errors(elsewhere.merging(tls) { $1 }).count == 1)
        #expect(errors(elsewhere.merging(operators) { $1 }.merging(tls) { $1 }) == [])
    }

    private static let proxy = [
        "PAYRELAY_OPERATOR_TOKENS_HEADER": "X-Forwarded-Access-Token",
        "PAYRELAY_OPERATOR_TOKENS_KEYS_URL": "https://login.example.com/jwks.json",
        "PAYRELAY_OPERATOR_TOKENS_ISSUER": "https://login.example.com",
        "PAYRELAY_OPERATOR_TOKENS_AUDIENCE": "console", "PAYRELAY_OPERATOR_TOKENS_ROLES": "a=finance, b c=support",
    ]

    @Test("A proxy that signs operators in replaces their keys, and the console may leave loopback over TLS")
    func aProxyStandsForKeys() {
        #expect(errors(Self.proxy) == [])
        let elsewhere = Self.proxy.merging(["PAYRELAY_ADMIN_HOST": "0.0.0.0"]) { $1 }
        #expect(errors(elsewhere).count == 1)
        #expect(errors(elsewhere.merging(tls) { $1 }) == [])
    }

    @Test("A proxy needs keys, issuer, audience and roles, and a setting of it without the header is an error")
    func aProxyIsConfiguredWhole() {
        for name in Self.proxy.keys {
            let errors = errors(Self.proxy.filter { $0.key != name })
            let isHeader = name == "PAYRELAY_OPERATOR_TOKENS_HEADER"
            #expect(errors.count == (isHeader ? 4 : 1), "\(name): \(errors)")
            if !isHeader { #expect(errors.first?.hasPrefix(name) == true) }
        }
        for (name, wrong) in [
            ("HEADER", "X Y"), ("HEADER", "X:"), ("KEYS_URL", "http://login.example.com"), ("ROLES", "a=boss"),
            ("ROLES", "a"), ("ROLES", "=finance"), ("SIGN_OUT_URL", "javascript:alert(1)"),
        ] {
            let setting = "PAYRELAY_OPERATOR_TOKENS_" + name
            #expect(!errors(Self.proxy.merging([setting: wrong]) { $1 }).isEmpty, "\(setting) \(wrong)")
        }
    }

    @Test func errorsAreNamedWithoutTheKeys() {
        #expect(errors(["PAYRELAY_OPERATORS": "sara boss canary"]).count == 1)
        #expect(!"\(errors(["PAYRELAY_OPERATORS": "sara viewer canary"]))".contains("canary"))
        #expect(errors(["PAYRELAY_OPERATORS": "# nobody"]) == ["PAYRELAY_OPERATORS has no operator"])
        #expect(errors(["PAYRELAY_OPERATORS_FILE": folder.path("missing")]).count == 1)
        #expect(errors(["PAYRELAY_ADMIN_HOSTS": "console.example, a b"]).count == 1)
    }

    @Test func operatorsCanBeListedWithoutTheOtherSettings() throws {
        let sources = try ConfigurationSources(environment: ["PAYRELAY_OPERATORS": line], file: nil)
        #expect(try RelayConfiguration.operators(sources)?.entries.map(\.name) == ["sara"])
        #expect(try RelayConfiguration.operators(try ConfigurationSources(environment: [:], file: nil)) == nil)
    }
}
