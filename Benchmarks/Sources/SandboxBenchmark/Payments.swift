import ApplePayToken
import FortAPI
import Foundation
import OrderedJSON
import TokenMint

/// Canned payments, each with a reference and a token of its own, because neither is good twice.
enum Payments {
    /// What `payrelay sandbox` knows; see docs/sandbox.md.
    static let settings = [
        "PAYRELAY_FORT_ACCESS_CODE": "SANDBOXACCESSCODE001", "PAYRELAY_FORT_MERCHANT_IDENTIFIER": "SANDBOX001",
        "PAYRELAY_FORT_REQUEST_PHRASE": "sandbox-request-phrase",
        "PAYRELAY_FORT_RESPONSE_PHRASE": "sandbox-response-phrase",
    ]

    /// Bodies of `POST /v1/payments`.
    static func forRelay(_ count: Int) throws -> [[UInt8]] {
        try (0..<count).map { number in
            var body = JSONObject(order("RELAYED-\(number)").map { ($0.key, .string($0.value)) })
            body["token"] = try token()
            return JSON.object(body).encoded()
        }
    }

    /// Bodies of FORT's `APPLE_PAY` request.
    static func forSandbox(_ count: Int) throws -> [[UInt8]] {
        let account = try FortAccount(
            accessCode: settings["PAYRELAY_FORT_ACCESS_CODE", default: ""],
            merchantIdentifier: settings["PAYRELAY_FORT_MERCHANT_IDENTIFIER", default: ""],
            requestPhrase: Secret(settings["PAYRELAY_FORT_REQUEST_PHRASE", default: ""]),
            responsePhrase: Secret(settings["PAYRELAY_FORT_RESPONSE_PHRASE", default: ""]))
        return try (0..<count).map { number in
            let token = try PaymentToken(json: token())
            let parameters = AppleParameters(
                data: token.data.text, signature: token.signature.text,
                transactionId: token.header.transactionId.text,
                ephemeralPublicKey: token.header.ephemeralPublicKey?.text ?? "",
                publicKeyHash: token.header.publicKeyHash.text, displayName: "Visa 0492", network: "Visa",
                type: "debit")
            let request = try ApplePayRequest(order: order("DIRECT-\(number)"), token: parameters)
            return FortMessage(signing: request, for: account).body
        }
    }

    private static func token() throws -> JSON {
        try TokenMint().mint(TokenContents(amount: 10_000, currency: "AED"), signedAt: Date())
    }

    private static func order(_ reference: String) -> [String: String] {
        [
            "command": "PURCHASE", "merchant_reference": reference, "amount": "10000", "currency": "AED",
            "language": "en", "customer_email": "sara@example.com", "customer_ip": "192.0.2.10",
        ]
    }
}
