import ApplePayToken
import FortAPI
import Foundation
import PayrelayPrimitives
import TokenMint

/// The account that `payrelay-dev sandbox` knows (docs/sandbox.md), as settings of the relay and as a FORT account.
enum SandboxAccount {
    static let settings = [
        "PAYRELAY_FORT_ACCESS_CODE": "SANDBOXACCESSCODE001", "PAYRELAY_FORT_MERCHANT_IDENTIFIER": "SANDBOX001",
        "PAYRELAY_FORT_REQUEST_PHRASE": "sandbox-request-phrase",
        "PAYRELAY_FORT_RESPONSE_PHRASE": "sandbox-response-phrase",
        "PAYRELAY_TOKEN_TRUST_ANCHOR_FILE": trustAnchorFile,
    ]

    static func fortAccount() throws -> FortAccount {
        try FortAccount(
            accessCode: settings["PAYRELAY_FORT_ACCESS_CODE", default: ""],
            merchantIdentifier: settings["PAYRELAY_FORT_MERCHANT_IDENTIFIER", default: ""],
            requestPhrase: Secret(settings["PAYRELAY_FORT_REQUEST_PHRASE", default: ""]),
            responsePhrase: Secret(settings["PAYRELAY_FORT_RESPONSE_PHRASE", default: ""]))
    }

    /// Returns the trust anchor of the account's tokens.
    static func trustAnchor() throws -> TrustAnchor { try SandboxPKI.published.anchor() }

    private static let trustAnchorFile = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../certs/sandbox/root-ca.pem").standardizedFileURL.path
}
