import FortAPI
import TestPrograms

/// A merchant with an account per country: two merchant identifiers, two access codes, four phrases, two SHA types.
enum TwoAccounts {
    /// A relay's settings file with both.
    static func file(in folder: TemporaryFolder) throws -> String {
        try folder.file(
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

    static let jordan = FortMessages.Account(
        accessCode: "JJJJ", merchantIdentifier: "JOR1", responsePhrase: "response-jordan", type: .sha512)
}
