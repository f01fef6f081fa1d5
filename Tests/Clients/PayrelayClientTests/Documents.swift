import PayrelayAPI
import PayrelayPrimitives

/// Answers of a relay, for tests.
enum Documents {
    static let order = Order("ORDER-1001", amount: 10_000, currency: .AED, customerEmail: "sara@example.com")
    static let token = AppleToken(json: ["paymentData": "secret token"])

    static func payment(
        _ outcome: String, reference: String = order.merchantReference, amount: Int = 10_000, currency: String = "AED"
    ) throws -> PaymentDocument {
        try PaymentDocument(parsing: body(outcome, reference: reference, amount: amount, currency: currency))
    }

    static func body(
        _ outcome: String, reference: String = order.merchantReference, amount: Int = 10_000, currency: String = "AED"
    ) -> [UInt8] {
        let document: JSON = [
            "merchant_reference": .string(reference), "command": "PURCHASE", "outcome": .string(outcome),
            "amount": JSON(amount), "currency": .string(currency),
        ]
        return document.encoded()
    }

    static func problem(_ status: Int, _ kind: ProblemKind) -> [UInt8] {
        ProblemDocument(name: kind.rawValue, title: "title", status: status, detail: "detail").json.encoded()
    }
}
