import Crypto
import Foundation
import PayrelayPrimitives

/// An event for the merchant's backend, signed as the relay or an attacker signs it.
struct SignedEvent {
    let identifier: String
    let body: String

    init(
        _ identifier: String, _ reference: String, outcome: String = "captured", amount: Int = 16_500,
        currency: String = "AED", account: String? = "default", unproven: [String] = []
    ) {
        self.identifier = identifier
        var payment: JSONObject = ["outcome": .string(outcome), "amount": JSON(amount), "currency": .string(currency)]
        payment["account"] = account.map { .string($0) }
        payment["unproven"] = unproven.isEmpty ? nil : .array(unproven.map { .string($0) })
        let event: JSON = [
            "id": .string(identifier), "type": .string("payment.\(outcome)"), "merchant_reference": .string(reference),
            "outcome": .string(outcome), "payment": .object(payment),
        ]
        body = String(decoding: event.encoded(), as: UTF8.self)
    }

    /// Returns the header fields of Standard Webhooks.
    ///
    /// - Parameters:
    ///   - secret: The secret in base64.
    ///   - age: The seconds since the event was signed.
    func headers(by secret: String, age: Int = 0) -> [(name: String, value: String)] {
        let time = "\(Int(Date().timeIntervalSince1970) - age)"
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(identifier).\(time).\(body)".utf8),
            using: SymmetricKey(data: Data(base64Encoded: secret) ?? Data()))
        return [
            (name: "webhook-id", value: identifier), (name: "webhook-timestamp", value: time),
            (name: "webhook-signature", value: "v1,\(Data(code).base64EncodedString())"),
        ]
    }
}
