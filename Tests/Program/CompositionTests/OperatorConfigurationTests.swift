import FortModule
import Settings
import AccessControl
import Composition
import Foundation
import TestPrograms
import Testing
import TokenMint

/// Who may log in to the console, and where the console may be.
@Suite struct OperatorConfigurationTests {
    private let folder: TemporaryFolder
    private let line: String
    private let tls: [String: String]

    init() throws {
        folder = try TemporaryFolder()
        line = "\(try OperatorEntry(name: "sara", role: .support, key: OperatorKey()))"
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
