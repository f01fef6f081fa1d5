import Primitives

/// What a payment's receipts and events hold of the customer, because the processor returns the fields it was sent.
enum CustomerData {
    /// What identifies the customer, by FORT's names. No event ever holds it.
    static let identity: Set<String> = [
        "customer_email", "customer_ip", "customer_name", "phone_number", "card_holder_name", "device_fingerprint",
    ]

    /// All that is erased: the customer's identity, the card, and the fields in which a merchant may have written anything.
    static let all = identity.union([
        "card_number", "expiry_date", "token_name", "order_description", "merchant_extra", "merchant_extra1",
        "merchant_extra2", "merchant_extra3", "merchant_extra4", "merchant_extra5",
    ])

    /// A receipt, or an event, without any of it; the very bytes where there was none.
    static func erased(from bytes: [UInt8]) -> [UInt8] {
        guard let json = try? JSON(parsing: bytes) else { return bytes }
        let erased = removing(all, from: json)
        return erased == json ? bytes : erased.encoded()
    }

    /// Members without what identifies the customer.
    static func withoutIdentity(_ object: JSONObject) -> JSONObject { removing(identity, from: object) }

    private static func removing(_ fields: Set<String>, from object: JSONObject) -> JSONObject {
        JSONObject(
            object.members.filter { !fields.contains($0.name) }.map { ($0.name, removing(fields, from: $0.value)) })
    }

    private static func removing(_ fields: Set<String>, from json: JSON) -> JSON {
        switch json {
        case .object(let object): .object(removing(fields, from: object))
        case .array(let elements): .array(elements.map { removing(fields, from: $0) })
        case .null, .bool, .number, .string: json
        }
    }
}
