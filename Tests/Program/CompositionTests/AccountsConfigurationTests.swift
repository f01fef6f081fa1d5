import Composition
import FortAPI
import FortModule
import Foundation
import PayrelayPrimitives
import Settings
import TestPrograms
import Testing

/// Several FORT accounts in the configuration file.
@Suite struct AccountsConfigurationTests {
    private static let two = """
        fort:
          accounts:
            uae:
              access_code: AAAA
              merchant_identifier: MMMM
              request_phrase: REQ-A
              response_phrase: RES-A
              currencies: AED, OMR
            jordan:
              access_code: BBBB
              merchant_identifier: MMMM
              signature_type: hmac-sha512
              request_phrase: REQ-B
              response_phrase: RES-B
              currencies: JOD
        """

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func accounts(_ yaml: String, environment: [String: String] = [:]) throws -> FortAccounts {
        let path = try folder.file("\(UUID().uuidString).yaml", yaml)
        return try RelayConfiguration(ConfigurationSources(environment: environment, file: path)).fort.fortAccounts
    }

    private func errors(_ yaml: String, environment: [String: String] = [:]) -> [String] {
        do {
            _ = try accounts(yaml, environment: environment)
            return []
        } catch {
            return (error as? ConfigurationError)?.errors.map(\.description) ?? ["\(error)"]
        }
    }

    @Test func eachAccountHasItsOwnCodesAndCurrencies() throws {
        let accounts = try accounts(Self.two)
        #expect(accounts.entries.map(\.name) == ["jordan", "uae"])
        let jordan = try #require(accounts.entry(named: "jordan"))
        #expect(jordan.account.accessCode == "BBBB" && jordan.account.signatureType == .hmacSHA512)
        #expect(jordan.account.responsePhrase == Secret("RES-B"))
        #expect(accounts.entry(named: "uae")?.currencies == Set(["AED", "OMR"].compactMap(Currency.init(code:))))
    }

    @Test func usesTheEnvironmentsAccountAsDefault() throws {
        let accounts = try accounts(Self.two, environment: RelayConfigurationTests.account)
        #expect(accounts.entries.map(\.name) == ["default", "jordan", "uae"])
    }

    @Test func readsAPhraseFromAFile() throws {
        let path = try folder.file("phrase", "PHRASE\n")
        let yaml = Self.two.replacing("request_phrase: REQ-A", with: "request_phrase_file: \(path)")
        #expect(try accounts(yaml).entry(named: "uae")?.account.requestPhrase == Secret("PHRASE"))
    }

    @Test func namesEveryErrorOfEveryAccount() {
        let yaml = Self.two
            .replacing("access_code: AAAA", with: "acces_code: AAAA")
            .replacing("signature_type: hmac-sha512", with: "signature_type: md5")
            .replacing("currencies: JOD", with: "currencies: JOD, XYZ")
        let errors = errors(yaml)
        #expect(errors.contains { $0.hasPrefix("fort.accounts.uae.acces_code (") && $0.contains(" is not a setting") })
        #expect(errors.contains("fort.accounts.uae.access_code is missing"))
        #expect(
            errors.contains { $0.hasPrefix("fort.accounts.jordan.signature_type (") && $0.contains(") must be one of") }
        )
        #expect(errors.contains { $0.hasPrefix("fort.accounts.jordan.currencies") && $0.contains("XYZ") })
    }

    @Test("A setting of the section's own account is an error if the section has no account, whatever its value")
    func refusesSettingsWithoutAnAccount() {
        let fort = errors(Self.two.replacing("  accounts:", with: "  signature_type: hmac-sha999\n  accounts:"))
        #expect(
            fort.count == 1 && fort[0].hasPrefix("fort.signature_type (")
                && fort[0].hasSuffix(" is without effect: PAYRELAY_FORT_ACCESS_CODE is not set"), "\(fort)")
        let misspelt = ["PAYRELAY_PORTMONE_PREAUTHORIZATION": "ofter"]
        let portmone = errors(
            "portmone:\n  payment_data: nonsense\n  currencies: [uah]\n",
            environment: RelayConfigurationTests.account.merging(misspelt) { $1 })
        #expect(portmone.count == 3, "\(portmone)")
        #expect(
            portmone.allSatisfy { $0.hasSuffix(" is without effect: PAYRELAY_PORTMONE_PAYEE_ID is not set") },
            "\(portmone)")
    }

    @Test(arguments: [
        ("access_code: BBBB", "access_code: AAAA", "the same access code"),
        ("currencies: JOD", "currencies: AED", "two accounts take AED"),
        ("request_phrase: REQ-A", "request_phrase: REQ-A\n      request_phrase_file: /x", "both set"),
    ])
    func refusesAmbiguousAccounts(text: String, other: String, error: String) {
        #expect(errors(Self.two.replacing(text, with: other)).contains { $0.contains(error) })
    }
}
