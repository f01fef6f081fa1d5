import FortAPI
import TestPrograms

/// A merchant with an account in each country: two merchant identifiers, two access codes, four phrases, two SHA types.
struct TwoAccounts {
    private let folder: TemporaryFolder
    /// The path of a relay's settings file with both accounts.
    let config: String

    init() throws {
        folder = try TemporaryFolder()
        config = try folder.file(
            "payrelay.yaml",
            """
            fort:
              accounts:
                uae:
                  access_code: AAAA
                  merchant_identifier: UAE1
                  request_phrase: request-uae
                  response_phrase: response-uae
                  currencies: AED
                jordan:
                  access_code: JJJJ
                  merchant_identifier: JOR1
                  signature_type: sha512
                  request_phrase: request-jordan
                  response_phrase: response-jordan
                  currencies: JOD
            """)
    }

    /// Starts a relay with both accounts, and a sandbox with both.
    func relay(_ settings: [String: String] = [:]) async throws -> RunningRelay {
        try await RunningRelay(sandbox: try await RunningSandbox(config: config), config: config, settings)
    }

    static let jordan = FortMessages.Account(
        accessCode: "JJJJ", merchantIdentifier: "JOR1", responsePhrase: "response-jordan", type: .sha512)
}
