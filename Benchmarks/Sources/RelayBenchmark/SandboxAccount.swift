import ApplePayToken
import FortAPI
import Foundation
import PayrelayPrimitives
import TokenMint

/// What `payrelay-dev sandbox` knows (docs/sandbox.md), as settings of the relay and as an account.
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

    /// Whom its tokens chain to.
    static func trustAnchor() throws -> TrustAnchor { try SandboxPKI.published.anchor() }

    private static let trustAnchorFile = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../certs/sandbox/root-ca.pem").standardizedFileURL.path
}
