import FortAPI
import FortSandbox
import TokenMint

/// The account that the sandbox knows. It is public: nothing that it signs is worth anything.
enum SandboxAccount {
    static let accessCode = "SANDBOXACCESSCODE001"
    static let merchantIdentifier = "SANDBOX001"
    static let requestPhrase = "sandbox-request-phrase"
    static let responsePhrase = "sandbox-response-phrase"

    static func fortAccount() throws -> FortAccount {
        try FortAccount(
            accessCode: accessCode, merchantIdentifier: merchantIdentifier, requestPhrase: Secret(requestPhrase),
            responsePhrase: Secret(responsePhrase))
    }
}
