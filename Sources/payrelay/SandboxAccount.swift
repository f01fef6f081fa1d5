import Primitives
import FortAPI
import FortSandbox
import TokenMint

/// The account that the sandbox knows. It is public: nothing that it signs is worth anything.
enum SandboxAccount {
    static let accessCode = "SANDBOXACCESSCODE001"
    static let merchantIdentifier = "SANDBOX001"
    static let requestPhrase = "sandbox-request-phrase"
    static let responsePhrase = "sandbox-response-phrase"

    /// The settings of a relay that has it, for a shell: lines that end in a line break.
    static let exports = """
        export PAYRELAY_FORT_ACCESS_CODE=\(accessCode)
        export PAYRELAY_FORT_MERCHANT_IDENTIFIER=\(merchantIdentifier)
        export PAYRELAY_FORT_REQUEST_PHRASE=\(requestPhrase)
        export PAYRELAY_FORT_RESPONSE_PHRASE=\(responsePhrase)

        """

    static func fortAccount() throws -> FortAccount {
        try FortAccount(
            accessCode: accessCode, merchantIdentifier: merchantIdentifier, requestPhrase: Secret(requestPhrase),
            responsePhrase: Secret(responsePhrase))
    }
}
