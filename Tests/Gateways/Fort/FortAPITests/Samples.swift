import ApplePayToken
import PayrelayPrimitives

@testable import FortAPI

/// A valid account, order and token, which tests change. Every customer value is a canary that no output may show.
enum Samples {
    static let requestPhrase = "CANARY-REQUEST-PHRASE"
    static let responsePhrase = "CANARY-RESPONSE-PHRASE"

    static func account(_ type: FortSignatureType = .standard) throws -> FortAccount {
        try FortAccount(
            accessCode: "zx0IPmPy5jp1vAz8Kpg7", merchantIdentifier: "CycHZxVj", signatureType: type,
            requestPhrase: Secret(requestPhrase), responsePhrase: Secret(responsePhrase))
    }

    static let order = [
        "command": "PURCHASE", "merchant_reference": "ORDER-1001", "amount": "10000", "currency": "AED",
        "language": "en", "customer_email": "canary@example.com", "customer_ip": "192.0.2.10",
    ]

    /// Returns a token of the right shape that Apple has not signed.
    ///
    /// - Parameter method: The token's `paymentMethod`.
    static func token(
        method: JSONObject = ["displayName": "Visa 0492", "network": "Visa", "type": "debit"],
        applicationData: HexText? = nil
    ) throws -> PaymentToken {
        var header: JSONObject = [
            "ephemeralPublicKey": "MFkwCANARYKEYAAA", "publicKeyHash": "YWEPCANARYHASHAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
            "transactionId": "ee0c2dca4a",
        ]
        header["applicationData"] = applicationData.map { .string($0.text) }
        return try PaymentToken(json: [
            "paymentData": [
                "version": "EC_v1", "data": "CANARY/DATA+", "signature": "MIAGCANARYSIGNATURE=",
                "header": .object(header),
            ],
            "paymentMethod": .object(method),
        ])
    }

    static func request(_ changes: [String: String] = [:]) throws -> FortRequest {
        try FortRequest(order: order.merging(changes) { $1 }, token: token())
    }

    static func message(_ changes: [String: String] = [:], type: FortSignatureType = .standard) throws -> FortMessage {
        FortMessage(signing: try request(changes), for: try account(type))
    }

    /// FORT's answer to `message()` when the purchase succeeds, before it is signed.
    static let approval: JSONObject = [
        "command": "PURCHASE", "access_code": "zx0IPmPy5jp1vAz8Kpg7", "merchant_identifier": "CycHZxVj",
        "merchant_reference": "ORDER-1001", "amount": .number("10000"), "currency": "AED", "language": "en",
        "fort_id": .number("149295435400084008"), "response_code": "14000", "response_message": "Success",
        "status": "14", "customer_email": "canary@example.com", "a_field_nobody_modelled": ["deep": ["x", true]],
    ]

    /// Returns the bytes of an answer, signed as FORT signs.
    static func signed(
        _ answer: JSONObject, phrase: String = responsePhrase, type: FortSignatureType = .standard
    ) -> [UInt8] {
        var answer = answer
        answer["signature"] = .string(FortSignature(of: answer, phrase: Secret(phrase), type: type).hexadecimal)
        return JSON.object(answer).encoded()
    }
}
