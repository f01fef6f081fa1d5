import PayrelayPrimitives
import FortAPI
import FortSandbox
import TokenMint

/// The sandbox's FORT account. It is public: its signatures protect nothing.
enum SandboxAccount {
    static let accessCode = "SANDBOXACCESSCODE001"
    static let merchantIdentifier = "SANDBOX001"
    static let requestPhrase = "sandbox-request-phrase"
    static let responsePhrase = "sandbox-response-phrase"

    /// The account as settings of a relay, for a shell. Ends in a line break.
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
