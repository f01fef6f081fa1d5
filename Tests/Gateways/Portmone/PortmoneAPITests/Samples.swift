import ApplePayToken
import PayrelayPrimitives
import Testing

@testable import PortmoneAPI

/// A valid account, token and order, which tests change.
enum Samples {
    static let password = "CANARY-PASSWORD"

    static func account(
        payee: String = "1185", _ encoding: PaymentDataEncoding = .jsonString,
        _ preauthorization: Preauthorization = .never
    ) throws -> PortmoneAccount {
        try PortmoneAccount(
            payeeID: payee, login: "SHOP", password: Secret(password), appleMerchantID: "merchant.com.example",
            paymentDataEncoding: encoding, preauthorization: preauthorization)
    }

    static func currency(_ code: String) throws -> Currency {
        try #require(Currency(code: code))
    }

    /// Returns a token of the right shape that Apple has not signed.
    static func token() throws -> PaymentToken {
        try PaymentToken(json: [
            "paymentData": [
                "version": "EC_v1", "data": "CANARY/DATA+", "signature": "MIAGCANARYSIGNATURE=",
                "header": [
                    "ephemeralPublicKey": "MFkwCANARYKEYAAA",
                    "publicKeyHash": "YWEPCANARYHASHAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "transactionId": "ee0c2dca4a",
                ],
            ]
        ])
    }

    static let paymentData =
        #"{"data":"CANARY/DATA+","signature":"MIAGCANARYSIGNATURE=","header":{"publicKeyHash":"#
        + #""YWEPCANARYHASHAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=","ephemeralPublicKey":"MFkwCANARYKEYAAA","#
        + #""transactionId":"ee0c2dca4a"},"version":"EC_v1"}"#

    static func identity(
        currency: String? = "UAH", amount: MinorUnits? = 101
    ) throws -> PaymentIdentity {
        PaymentIdentity(
            payeeID: "1185", shopOrderNumber: "ORDER-1", currency: try currency.map { try self.currency($0) },
            amount: amount)
    }

    /// A bill as `result` shows it.
    static let bill: JSONObject = [
        "payee_id": "1185", "shopOrderNumber": "ORDER-1", "shopBillId": "550298815", "billAmount": "1.01",
        "status": "PAYED", "errorCode": "0", "authCode": "831000", "cardMask": "535560******3735",
    ]

    static func bill(_ changes: JSONObject) -> JSONObject {
        var bill = bill
        for member in changes.members { bill[member.name] = member.value == .null ? nil : member.value }
        return bill
    }

    /// Returns the only entry of an answer with this body.
    static func entry(_ members: JSONObject) throws -> PortmoneEntry {
        let answer = try PortmoneAnswer(reading: JSON.array([.object(members)]).encoded())
        guard case .entries(let entries) = answer.content, let entry = entries.first else {
            throw Missing()
        }
        return entry
    }

    struct Missing: Error {}
}
