import Foundation
import PayrelayPrimitives
import TokenMint

/// Bodies of `POST /v1/payments`.
enum Orders {
    /// Returns a valid body, with a token minted for it.
    static func body(
        _ reference: String = reference(), amount: Int = 10_000, at gateway: TestedGateway = .fort
    ) throws -> JSONObject {
        [
            "command": "PURCHASE", "merchant_reference": .string(reference), "amount": JSON(amount),
            "currency": .string(gateway.currency), "language": "en", "customer_email": "sara@example.com",
            "customer_ip": "192.0.2.10", "token": try token(amount: amount, at: gateway),
        ]
    }

    /// Returns the body that a phone sends with an order token, with only the fields that it may choose.
    static func phoneBody(_ reference: String = reference(), amount: Int = 10_000) throws -> JSONObject {
        try body(reference, amount: amount).filter { $0.name != "customer_ip" }
    }

    static func token(amount: Int = 10_000, at gateway: TestedGateway = .fort) throws -> JSON {
        try TokenMint().mint(TokenContents(amount: amount, currency: gateway.currency), signedAt: Date())
    }

    static func reference() -> String { "T-\(UUID().uuidString)" }
}

extension JSONObject {
    /// Returns the body with changed members.
    func with(_ members: KeyValuePairs<String, JSON?>) -> JSON {
        var changed = self
        for (name, value) in members { changed[name] = value }
        return .object(changed)
    }

    var json: JSON { .object(self) }
}

extension JSON {
    /// Returns the body with one value changed, at the end of a path of names.
    func changing(_ path: [String], _ change: (String) -> String) -> JSON {
        guard let name = path.first else { return stringValue.map { .string(change($0)) } ?? self }
        guard var object = objectValue else { return self }
        object[name] = object[name]?.changing(Array(path.dropFirst()), change)
        return .object(object)
    }
}
